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

/** The sources whose sentences reach users: everything but tests and their helpers. */
const sources = readdirSync(engine, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !/\.spec\.ts$|^testing\/|redaction\.ts$/.test(file),
);

/** Properties that hold Markdown about a check, which is not redacted. */
const PROSE = new Set(['text', 'title']);
const HOLE = '\u0000';

/** The string literals of a source file, with a placeholder for each value that is filled in. */
function textsIn(file: string): string[] {
  const texts: string[] = [];
  const visit = (node: Node): void => {
    if (isImportDeclaration(node) || (isPropertyAssignment(node) && PROSE.has(node.name.getText()))) return;
    if (isTemplateExpression(node))
      texts.push(node.head.text + node.templateSpans.map(({ literal }) => HOLE + literal.text).join(''));
    else if (isStringLiteralLike(node)) texts.push(node.text);
    forEachChild(node, visit);
  };
  visit(createSourceFile(file, readFileSync(join(engine, file), 'utf8'), ScriptTarget.Latest, true));
  return texts;
}

const sentences = [...new Set(sources.flatMap(textsIn))].filter((text) => /[a-z] [a-z]|: /.test(text));

/** A path stands before a colon and a clause behind it, as in `${path}: ${doubt}`; any value everywhere else. */
const fillPlaceholders = (sentence: string, value: string): string =>
  sentence
    .replace(/\0+/g, HOLE)
    .replaceAll(`: ${HOLE}`, ': it fails with 503')
    .replaceAll(`${HOLE}:`, value.includes('/') ? `${value}:` : '/.htpasswd:')
    .replaceAll(HOLE, value);

describe('the sentences of the engine', () => {
  it.each([
    'protocols/http/exposed-file.ts',
    'response-trust.ts',
    'verdict.ts',
    'snapshot.ts',
    'transport/exchange.ts',
  ])('are read from %s, among others', (file) => expect(textsIn(file).length).toBeGreaterThan(5));

  it.each([
    '/.htpasswd',
    '/api/v1/token',
    '/.aws/credentials, /htpasswd',
    'https://session.example.com:8443/api_key',
    'token.example.com',
    'v=DMARC1; p=none; rua=mailto:reports@basalt.example',
    '200',
  ])('are not altered by redaction when they name %s', (value) => {
    const altered = sentences
      .map((sentence) => fillPlaceholders(sentence, value))
      .filter((one) => excerpt(one) !== one);
    expect(altered).toEqual([]);
  });
});

it('a check says of a path with the name of a secret what it found there', async () => {
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
