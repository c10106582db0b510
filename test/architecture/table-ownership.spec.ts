import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';

/** The allowed reads of other modules' tables, each with its reason. Add no new ones: call the module through its index.ts. */
const allowedReads: Readonly<Record<string, string>> = {
  '* reads organizations': 'Every scope is a condition on the organization of a row, and this is the row it is on.',
  'findings reads events': 'The page of the findings of an event is one statement; findings may not import events.',
  'findings reads accepted_checks':
    'Only a page of an organization that has accepted checks asks the module assets for them.',
  'findings reads accepted_checks_on_many': 'The same statement.',
  'identity reads integrators':
    'Every request authenticates with one statement, which has to say whose integrator it is.',
  'reports reads events': 'A report shows the name of its event, and the event may not be deleted before its reports.',
  'retests reads findings':
    'A baseline is stored only while the finding still has the check that was run, and undecided retests are listed for open findings. A selection keeps what its findings were.',
  'retests reads assets': 'The assets that cover a host are searched with a condition on the scope of the event.',
  'retests reads event_scope': 'The same statement: the scope of the event narrows the search for assets.',
  'jobs reads findings': 'The findings on an origin are joined with what this job showed of each of them.',
  'jobs reads finding_history': 'The same statement: a test confirms a status only if it ran after the last change.',
  'jobs reads retests': 'The same statement: a retest may have confirmed that a finding is fixed.',
  'jobs reads finding_baselines': 'The same statement: a repeated check is compared with the baseline of its finding.',
  'jobs reads finding_sightings':
    'The same statement: who saw a finding decides for which ports of its host it counts, and a later sighting ends a confirmed fix.',
};

/** The allowed writes to other modules' tables, each with its reason. */
const allowedWrites: Readonly<Record<string, string>> = {
  'organizations writes a table named at run time':
    'The purge of a deleted organization removes its rows from every table that the schema lists for it.',
};

const WRITE =
  /\b(?:INSERT\s+INTO|MERGE\s+INTO|(?<!(?:FOR|KEY|DO)\s)UPDATE|DELETE\s+FROM|TRUNCATE(?:\s+TABLE)?)\s+(?:ONLY\s+)?("?\w+|\?)/gi;

/** After FROM, JOIN or a comma in a FROM list, or at the start of a join fragment such as `raw('events e ON e.id = ...')`. */
const READ = /(?:\b(?:FROM|JOIN|USING)|(?<=\bFROM\s[\w\s]+),)\s+"?(\w+)|^\s*(\w+)\s+\w+\s+ON\b/g;

const RUN_TIME = 'a table named at run time';

/** A source file of a module, by its path below src/modules. */
interface Source {
  readonly path: string;
  readonly text: string;
}

interface Ownership {
  readonly owners: ReadonlyMap<string, string>;
  readonly entities: ReadonlyMap<string, string>;
}

const moduleOf = ({ path }: Source): string => path.split('/')[0] ?? '';

function nodesOf({ path, text }: Source): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    node.forEachChild(visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return nodes;
}

/** The text of a literal, with `?` for each interpolated value. */
function literalOf(node: ts.Node): string {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return '';
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('?');
}

/** The owner of each table: the module with its entity in the data folder. */
function ownershipIn(sources: readonly Source[]): Ownership {
  const owners = new Map<string, string>();
  const entities = new Map<string, string>();
  for (const source of sources) {
    for (const [, table = '', entity = ''] of source.text.matchAll(/@Entity\(\{ name: '(\w+)'.*?class (\w+)/gs)) {
      owners.set(table, moduleOf(source));
      entities.set(entity, moduleOf(source));
    }
  }
  return { owners, entities };
}

/** Entity classes that a module imports from another module, through which it could write the other's table. */
function importedEntities(source: Source, nodes: readonly ts.Node[], { entities }: Ownership): string[] {
  return nodes.filter(ts.isImportDeclaration).flatMap(({ importClause, moduleSpecifier }) => {
    const bindings = importClause?.namedBindings;
    if (importClause?.isTypeOnly || bindings === undefined || !ts.isNamedImports(bindings)) return [];
    return bindings.elements
      .filter(({ isTypeOnly }) => !isTypeOnly)
      .map(({ propertyName, name }) => (propertyName ?? name).text)
      .filter((name) => moduleSpecifier.getText().includes(`/${entities.get(name) ?? '-'}`))
      .filter((name) => entities.get(name) !== moduleOf(source))
      .map((name) => `${moduleOf(source)} imports the entity ${name}`);
  });
}

/** The accesses of a module's SQL to tables of other modules, as `module reads table` and `module writes table`. */
function accessesOf(source: Source, ownership: Ownership): string[] {
  const nodes = nodesOf(source);
  const texts = nodes.filter(({ parent }) => parent === undefined || !ts.isImportDeclaration(parent)).map(literalOf);
  const isForeign = (table: string): boolean => (ownership.owners.get(table) ?? moduleOf(source)) !== moduleOf(source);
  const writes = texts
    .filter((text) => /[A-Z]{4}/.test(text))
    .flatMap((text) => [...text.matchAll(WRITE)].map((match) => (match[1] ?? '').replace('"', '')))
    .filter((table) => table === '?' || isForeign(table))
    .map((table) => `${moduleOf(source)} writes ${table === '?' ? RUN_TIME : table}`);
  const reads = texts
    .flatMap((text) => [...text.matchAll(READ)].map((match) => match[1] ?? match[2] ?? ''))
    .filter(isForeign)
    .map((table) => `${moduleOf(source)} reads ${table}`);
  return [...writes, ...reads, ...importedEntities(source, nodes, ownership)];
}

const isAllowed = (access: string): boolean =>
  access in allowedWrites || access in allowedReads || access.replace(/^[\w-]+/, '*') in allowedReads;

const folder = join(__dirname, '..', '..', 'src', 'modules');

const sources: readonly Source[] = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => /(?<!\.spec)\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));

const ownership = ownershipIn(sources);
const accesses = new Set(sources.flatMap((source) => accessesOf(source, ownership)));

const planted = (text: string): string[] =>
  accessesOf({ path: 'jobs/data/planted.ts', text }, ownership).filter((access) => !isAllowed(access));

describe('the tables of a module', () => {
  it('are written by that module alone, and read by others only as listed here with a reason', () => {
    expect(ownership.owners.size).toBeGreaterThan(20);
    expect([...accesses].filter((access) => !isAllowed(access))).toEqual([]);
  });

  it('have at most 14 listed reads by other modules, all of which exist', () => {
    const listed = [...Object.keys(allowedReads), ...Object.keys(allowedWrites)];
    const existing = new Set([...accesses].flatMap((access) => [access, access.replace(/^[\w-]+/, '*')]));
    expect(listed.filter((access) => !existing.has(access))).toEqual([]);
    expect(Object.keys(allowedReads).length).toBeLessThanOrEqual(14);
  });

  it.each([
    ['sql`INSERT INTO findings (id) VALUES (${1})`', 'jobs writes findings'],
    ['sql`UPDATE retests SET status = ${1}`', 'jobs writes retests'],
    ['sql`WITH gone AS (DELETE FROM findings RETURNING id) SELECT id FROM gone`', 'jobs writes findings'],
    ['sql`UPDATE ${raw(table)} SET status = 1`', `jobs writes ${RUN_TIME}`],
    ['sql`SELECT j.id FROM jobs j JOIN reports r ON r.id = j.id`', 'jobs reads reports'],
    ['sql`SELECT j.id FROM jobs j, reports r WHERE r.id = j.id`', 'jobs reads reports'],
    ["raw('audit_logs l ON l.id = j.id')", 'jobs reads audit_logs'],
    ["import { RetestRow } from '../../retests';", 'jobs imports the entity RetestRow'],
  ])('are protected: the module jobs may not contain %s', (text, access) => {
    expect(planted(text)).toEqual([access]);
  });

  it.each([
    'sql`INSERT INTO jobs (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET url = excluded.url`',
    'sql`SELECT f.id FROM findings f WHERE f.id = ${1} FOR NO KEY UPDATE OF f`',
    "import type { RetestRow } from '../../retests';",
  ])('may be used by their own module, or by type: %s', (text) => {
    expect(planted(text)).toEqual([]);
  });
});
