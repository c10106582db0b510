import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';

const source = join(__dirname, '../../src');

const MAX_LINES = 250;
const MAX_DEPENDENCIES = 8;

/** Files with more lines. They may only shrink: remove those that fit, and add none. */
const longFiles: Readonly<Record<string, number>> = {
  'apps/local/demo/demo-findings.ts': 260,
  'beacon-protocol/multiplexer.ts': 328,
  'engine/assess.ts': 434,
  'engine/scan-run.ts': 381,
  'engine/templates/compile-template.ts': 363,
  'engine/templates/template-run.ts': 285,
  'engine/testing/fault-scenarios.ts': 382,
  'engine/testing/pages-about-walls.ts': 258,
  'engine/testing/truth-table.ts': 292,
  'engine/transport/authorities.ts': 274,
  'engine/transport/transport.ts': 341,
  'engine/verdict.ts': 407,
  'platform/config/schema.ts': 358,
  'platform/http/fields.ts': 415,
  'platform/openapi/build-document.ts': 263,
  'platform/work/worker.ts': 270,
  'scanner-files/formats/sarif.ts': 256,
  'scanner-files/testing/example-files.ts': 403,
};

/** Classes whose constructors have more parameters, in the same way. */
const wideClasses: Readonly<Record<string, number>> = {
  'engine/verdict.ts: VerificationRun': 9,
  'modules/identity/invitations.service.ts: InvitationsService': 11,
  'modules/identity/password-resets.service.ts: PasswordResetsService': 13,
  'modules/identity/second-factor.service.ts: SecondFactorService': 10,
  'modules/identity/sign-ins.service.ts: SignInsService': 9,
  'modules/reports/snapshot-reader.ts: SnapshotReader': 11,
  'modules/retests/retests.service.ts: RetestsService': 11,
  'modules/retests/work/retest-test.ts: RetestTest': 9,
  'portal/assets/asset-reader.ts: AssetReader': 9,
  'portal/findings/finding-reader.ts: FindingReader': 9,
  'portal/scans/scan-reader.tsx: ScanReader': 9,
};

interface Source {
  readonly path: string;
  readonly text: string;
}

const linesOf = ({ text }: Source): number => text.split('\n').length - 1;

/** The numbers of parameters of constructors by `path: class`. */
function constructorsOf({ path, text }: Source): [string, number][] {
  const found: [string, number][] = [];
  const visit = (node: ts.Node): void => {
    node.forEachChild(visit);
    if (ts.isConstructorDeclaration(node) && node.body !== undefined && ts.isClassLike(node.parent))
      found.push([`${path}: ${node.parent.name?.text ?? 'a class'}`, node.parameters.length]);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return found;
}

/** What exceeds the limit, or its own number, and what is listed although it fits or does not exist. */
function differences(
  sizes: readonly (readonly [string, number])[],
  limit: number,
  listed: Readonly<Record<string, number>>,
): string[] {
  const actual = new Map(sizes);
  const over = sizes.filter(([name, size]) => size > (listed[name] ?? limit));
  const stale = Object.keys(listed).filter((name) => (actual.get(name) ?? 0) <= limit);
  return [
    ...over.map(([name, size]) => `${name} has ${size}, more than ${listed[name] ?? limit}: split it`),
    ...stale.map((name) => `${name} has ${actual.get(name) ?? 0} now: remove it from the list`),
  ];
}

const sources: Source[] = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((path) => /(?<!\.spec)\.tsx?$/.test(path))
  .sort()
  .map((path) => ({ path, text: readFileSync(join(source, path), 'utf8') }));

it('no file has more than 250 lines, but for those that are listed', () => {
  expect(sources.length).toBeGreaterThan(1_000);
  const sizes = sources.map((one) => [one.path, linesOf(one)] as const);
  expect(differences(sizes, MAX_LINES, longFiles)).toEqual([]);
});

it('no class has more than 8 dependencies, but for those that are listed', () => {
  expect(differences(sources.flatMap(constructorsOf), MAX_DEPENDENCIES, wideClasses)).toEqual([]);
});

it('no file and no class of findings is listed', () => {
  const listed = [...Object.keys(longFiles), ...Object.keys(wideClasses)];
  expect(listed.filter((name) => name.startsWith('modules/findings/'))).toEqual([]);
});

it.each([
  ['a file that is too long', [['a.ts', 251]], {}, ['a.ts has 251, more than 250: split it']],
  ['a listed file that grows', [['a.ts', 301]], { 'a.ts': 300 }, ['a.ts has 301, more than 300: split it']],
  ['a listed file that fits', [['a.ts', 250]], { 'a.ts': 300 }, ['a.ts has 250 now: remove it from the list']],
  ['nothing of files that fit', [['a.ts', 250]], {}, []],
] as const)('reports %s', (_name, sizes, listed, expected) => {
  expect(differences(sizes, 250, listed)).toEqual(expected);
});

it('counts the parameters of constructors', () => {
  const text = 'class A { constructor(private readonly one: B, private readonly two: C) {} }';
  expect(constructorsOf({ path: 'a.ts', text })).toEqual([['a.ts: A', 2]]);
});
