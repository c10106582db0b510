import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, resolve } from 'node:path';

const project = resolve(__dirname, '../..');
const notSources = new Set(['node_modules', 'dist', 'coverage', '.git', '.assay', '.bench']);
const files = filesBelow('');

function filesBelow(folder: string): string[] {
  return readdirSync(join(project, folder), { withFileTypes: true })
    .filter(({ name }) => !notSources.has(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    });
}

const folders = new Set(files.flatMap(parentsOf));
const names = new Set(files.map((file) => basename(file)));

function parentsOf(file: string): string[] {
  const parent = dirname(file);
  return parent === '.' ? [] : [parent, ...parentsOf(parent)];
}

/** Pages name files by their path below one of these folders, or beside the page. */
const bases = ['', 'src', 'src/modules', 'test'];
/** Created by a build or a start, so they are not in the repository. */
const generated = /^(\.assay|dist|\.bench|coverage)(\/|$)/;

const isFile = (path: string): boolean => files.includes(path) || folders.has(path);

function matches(path: string): boolean {
  if (path.includes('*'))
    return files.some((file) => dirname(file) === dirname(path) && wildcard(basename(path)).test(basename(file)));
  return isFile(path);
}

const wildcard = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replaceAll('.', String.raw`\.`).replaceAll('*', '.*')}$`);

const exists = (path: string, document: string): boolean =>
  generated.test(path) ||
  [...bases, dirname(document)].some((base) => matches(join(base, path))) ||
  (!path.includes('/') && names.has(path));

/** Links to files, and paths and file names in backticks. A path that begins with a slash is one of a website. */
function missingPathsIn(text: string, document: string): string[] {
  const prose = text.replace(/^```[^]*?^```$/gm, '');
  const links = Array.from(prose.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g), ([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => !isFile(normalize(join(dirname(document), link)).replace(/\/$/, '')));
  const quoted = Array.from(prose.matchAll(/`([^`\s]+)`/g), ([, code = '']) => code.replace(/\/$/, ''))
    .filter(
      (code) =>
        /^[\w.*-][\w.*/-]*\.(ts|tsx|mjs|cjs|md|sh|ya?ml)$/.test(code) ||
        /^(src|test|docs|bin|bench|migrations|examples)\/[\w.*/-]+$/.test(code),
    )
    .filter((path) => !exists(path, document));
  return [...links, ...quoted];
}

/** The anchors of headings, as GitHub makes them. */
const anchorsIn = (text: string): Set<string> =>
  new Set(
    [...text.replace(/^```[^]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );

/** Links to headings that do not exist. */
function missingAnchorsIn(text: string, document: string): string[] {
  const prose = text.replace(/^```[^]*?^```$/gm, '');
  return Array.from(prose.matchAll(/\]\(([^)#\s]*\.md)?#([^)\s]+)\)/g))
    .filter(([, page = '', anchor = '']) => {
      const path = page === '' ? document : normalize(join(dirname(document), page));
      const target = page === '' ? text : isFile(path) ? readFileSync(join(project, path), 'utf8') : '';
      return !anchorsIn(target).has(anchor);
    })
    .map(([link]) => link.slice(2, -1));
}

const documents = files.filter((file) => file.endsWith('.md') && /^(docs\/|bench\/|src\/|[^/]+$)/.test(file)).sort();

it.each(documents)('%s names only files and headings that exist', (document) => {
  const text = readFileSync(join(project, document), 'utf8');
  expect([...missingPathsIn(text, document), ...missingAnchorsIn(text, document)]).toEqual([]);
});

it.each([
  ['a link', 'See [the rules](rules.md).', 'rules.md'],
  ['a link to another folder', 'See [the script](../examples/none.sh#top).', '../examples/none.sh'],
  ['a path below test', 'Tested by `e2e/none.spec.ts`.', 'e2e/none.spec.ts'],
  ['a path with a wildcard', 'Tested by `engine/none/*.spec.ts`.', 'engine/none/*.spec.ts'],
  ['a file name', 'In `none-such.ts`.', 'none-such.ts'],
  ['a folder', 'Everything in `src/none/`.', 'src/none'],
])('reports %s if the file does not exist', (_what, sentence, path) => {
  expect(missingPathsIn(sentence, 'docs/page.md')).toEqual([path]);
});

it('accepts existing files by link, path, wildcard and name', () => {
  const text =
    'See [architecture](architecture.md#folders), `src/apps/`, `e2e/jobs.spec.ts`, `engine/transport/*.spec.ts`, `allowed-imports.cjs`.';
  expect(missingPathsIn(text, 'docs/page.md')).toEqual([]);
});

it('reports links to headings that do not exist, on the same and on other pages', () => {
  const text = '# Page\n\n## What it can do, and `what` not\n\n```sh\n# Comment\n```\n';
  const links = '[a](#page) [b](#what-it-can-do-and-what-not) [c](architecture.md#folders)';
  expect(missingAnchorsIn(`${text}${links}`, 'docs/page.md')).toEqual([]);
  const broken = '[d](#comment) [e](architecture.md#none) [f](none.md#top)';
  expect(missingAnchorsIn(`${text}${broken}`, 'docs/page.md')).toEqual([
    '#comment',
    'architecture.md#none',
    'none.md#top',
  ]);
});
