import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { superlinearAttack } from '../support/regular-expressions';

const source = join(__dirname, '../../src');

/** By their file and a part of them: the text that they search is short, for this reason. */
const EXCEPTIONS: readonly (readonly [path: string, part: string, reason: string])[] = [
  [
    'engine/active/insertion-point.ts',
    '[\\w~.-]{12}',
    'segments with more than LONGEST_NAME characters are not searched',
  ],
  ['engine/transport/client-identity.ts', '@[\\w-]+', 'USER_AGENT has at most 200 characters'],
  ['platform/config/schema.ts', 'https?:', 'the operator sets USER_AGENT'],
  ['modules/notifications/domain/message.ts', '^.*\\((.*)\\)$', 'the labels of statuses are constants'],
];

/** What may be an expression: a slash that is no comment, no end of a tag and no division. */
const MAY_BE_EXPRESSION = /(?:^|[(,=:[!&|?{};>+]|\breturn)\s*\/(?![*/>])/m;

/** Files whose expressions are also looked at when they are no literals. */
const READS_HOSTILE_TEXTS = /^(?:engine|kernel|scanner-files)\/|^platform\/http\/entity-tag/;

type Expression = readonly [place: string, expression: RegExp];

function literalsIn(path: string, text: string): Expression[] {
  if (!MAY_BE_EXPRESSION.test(text)) return [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const found: Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const { line } = file.getLineAndCharacterOfPosition(node.end);
      found.push([`${path}:${line + 1}`, new RegExp(node.text.slice(1, end), node.text.slice(end + 1))]);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Those that a file, and none that it imports, builds while it is loaded. */
function builtIn(path: string): Expression[] {
  const found: Expression[] = [];
  const { RegExp: original } = globalThis;
  globalThis.RegExp = new Proxy(original, {
    construct(target, [pattern, flags]: [string, string?]) {
      const expression = new target(pattern, flags);
      const [, , caller = ''] = (new Error().stack ?? '').split('\n');
      if (caller.includes(join(source, path))) found.push([path, expression]);
      return expression;
    },
  });
  try {
    jest.isolateModules(() => void require(join(source, path)));
  } finally {
    globalThis.RegExp = original;
  }
  return found;
}

function expressionsOfProduct(): Expression[] {
  const paths = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /(?<!\.spec)\.tsx?$/.test(path) && !path.includes('/testing/'),
  );
  return paths.flatMap((path) => {
    const text = readFileSync(join(source, path), 'utf8');
    const isBuilt = READS_HOSTILE_TEXTS.test(path) && text.includes('new RegExp(');
    return [...literalsIn(path, text), ...(isBuilt ? builtIn(path) : [])];
  });
}

const isExcepted = ([place, { source: text }]: Expression): boolean =>
  EXCEPTIONS.some(([path, part]) => place.startsWith(`${path}:`) && text.includes(part));

const superlinearOf = (expressions: readonly Expression[]): string[] =>
  expressions.flatMap(([place, expression]) => {
    // Twice, because a busy machine can make one search take long.
    const attack = superlinearAttack(expression) === null ? null : superlinearAttack(expression);
    return attack === null ? [] : [`${place} ${expression.source}: ${attack}`];
  });

describe('regular expressions', () => {
  const expressions = expressionsOfProduct();

  it('of the product search hostile texts in linear time', () => {
    expect(expressions.length).toBeGreaterThan(1_000);
    expect(superlinearOf(expressions.filter((one) => !isExcepted(one)))).toEqual([]);
  });

  it('are excepted only where they exist', () => {
    expect(
      EXCEPTIONS.filter(
        (one) =>
          !expressions.some(([place, { source: text }]) => place.startsWith(`${one[0]}:`) && text.includes(one[1])),
      ),
    ).toEqual([]);
  });

  it.each([
    ['nested loops', /^(?:\w+\s?)+$/],
    ['adjacent loops', /^\s*[\d.]{1,12}\s*[;,]?\s*(?:url\s*=\s*)?["']/],
    ['a loop behind any text', /^(?<target>\S+\s.*?)(?:\s+HTTP\/[\d.]+)?\s*$/s],
    ['a loop that begins at each place', /[\w.-]*pass[\w.-]*=/],
    ['a loop of a group', /(?:\r\n)+$/],
    ['a loop that looks back', /(?<=[;\t][ "]*)[=+]/],
    ['a loop after a word', /\{\{.*?\}\}/],
  ])('are reported for %s', (_what, expression) => {
    expect(superlinearOf([['a.ts:1', expression]])).toHaveLength(1);
  });
});
