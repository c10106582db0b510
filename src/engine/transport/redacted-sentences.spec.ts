import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createSourceFile,
  forEachChild,
  isImportDeclaration,
  isPropertyAssignment,
  isStringLiteralLike,
  isTemplateExpression,
  type Node,
  ScriptTarget,
} from 'typescript';
import { assess } from '../assess';
import { checkById } from '../checks';
import { ProbeSession } from '../probe-session';
import { siteSetup } from '../testing/target-states';
import { HOST, TestTarget } from '../testing/test-target';
import { excerpt } from './redaction';

const engine = join(__dirname, '..');

/** The sources of the engine without its test code. The patterns in `redaction.ts` and published ranges are not sentences. */
const sources = readdirSync(engine, { recursive: true, encoding: 'utf8' }).filter(
  (file) =>
    file.endsWith('.ts') &&
    !/\.spec\.ts$|(?:^|\/)testing\/|(?:redaction|published-ranges|bunny-addresses)\.ts$/.test(file),
);

/** Properties with Markdown: the description of a check, and how it decides. */
const PROSE = new Set(['text', 'title', 'decides']);
const PLACEHOLDER = '\u0000';

/** The string literals of a source file, with a placeholder for each interpolated value. */
function textsIn(file: string): string[] {
  const texts: string[] = [];
  const visit = (node: Node): void => {
    if (isImportDeclaration(node) || (isPropertyAssignment(node) && PROSE.has(node.name.getText()))) return;
    if (isTemplateExpression(node))
      texts.push(node.head.text + node.templateSpans.map(({ literal }) => PLACEHOLDER + literal.text).join(''));
    else if (isStringLiteralLike(node)) texts.push(node.text);
    forEachChild(node, visit);
  };
  visit(createSourceFile(file, readFileSync(join(engine, file), 'utf8'), ScriptTarget.Latest, true));
  return texts;
}

const sentences = [...new Set(sources.flatMap(textsIn))].filter((text) => /[a-z] [a-z]|: /.test(text));

/** Fills in a path before a colon and a clause, as in `${path}: ${reason}`; everywhere else, the given value. */
const fillPlaceholders = (sentence: string, value: string): string =>
  sentence
    .replace(/\0+/g, PLACEHOLDER)
    .replaceAll(`: ${PLACEHOLDER}`, ': it fails with 503')
    .replaceAll(`${PLACEHOLDER}:`, value.includes('/') ? `${value}:` : '/.htpasswd:')
    .replaceAll(PLACEHOLDER, value);

describe('sentences of the engine', () => {
  it.each([
    'protocols/http/exposed-file.ts',
    'response-trust.ts',
    'verdict.ts',
    'snapshot.ts',
    'transport/exchange.ts',
  ])('are collected from %s', (file) => expect(textsIn(file).length).toBeGreaterThan(5));

  it.each([
    '/.htpasswd',
    '/api/v1/token',
    '/.aws/credentials, /htpasswd',
    'https://session.example.com:8443/api_key',
    'token.example.com',
    'v=DMARC1; p=none; rua=mailto:reports@basalt.example',
    '200',
  ])('are not changed by redaction when they contain %s', (value) => {
    const altered = sentences
      .map((sentence) => fillPlaceholders(sentence, value))
      .filter((one) => excerpt(one) !== one);
    expect(altered).toEqual([]);
  });
});

it('the result of a check keeps a path that is named like a secret', async () => {
  const check = checkById('exposed-htpasswd');
  if (check === null) throw new Error('no such check');
  const testTarget = await TestTarget.open();
  try {
    const target = { scheme: 'https', host: HOST, port: testTarget.server.port, path: '/' } as const;
    const transport = testTarget.transport(4_000, () => siteSetup({}));
    const { observation } = await assess(
      check,
      target,
      new ProbeSession(transport, { signal: new AbortController().signal }),
    );
    expect(observation).toEqual({ state: 'not_vulnerable', detail: '/.htpasswd, /htpasswd: not there' });
  } finally {
    await testTarget.close();
  }
});
