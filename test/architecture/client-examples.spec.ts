import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const project = resolve(__dirname, '../..');

/** What examples must not say. Versions of actions that GitHub has retired or is about to. */
const REFUSED: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a retired version', /\bactions\/(?:checkout|setup-node)@v[1-5]\b/],
  ['a retired version', /\bgithub\/codeql-action\/[\w-]+@v[1-3]\b/],
  ['a retired version', /\busing: node(?:12|16|20)\b/],
  ['a name in a registry that is not ours', /\bnpx (?:--yes |-y )?@?assay/],
  [
    'a name in a registry that is not ours',
    /\bnpm (?:install|i|exec)\b[^\n]* @?assay(?:-(?:sdk|cli|action))?(?![\w./-])/,
  ],
  ['an expression of the workflow in shell text', /\brun: [^\n]*\$\{\{/],
  ['an input of the component in shell text', /^ {4,}- [^\n]*\$\[\[/m],
];

const problemsIn = (text: string): string[] =>
  REFUSED.filter(([, pattern]) => pattern.test(text)).map(
    ([what, pattern]) => `${what}: ${pattern.exec(text)?.[0] ?? ''}`,
  );

const EXAMPLES = /\.(?:md|sh|mjs|ya?ml|tsx)$/;
const files = ['docs', 'examples', 'deploy', 'clients', 'src/portal']
  .flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter((path) => EXAMPLES.test(path) && !/(?:^|\/)(?:node_modules|dist)\//.test(path))
  .concat('README.md', 'CONTRIBUTING.md');

it('no example names a retired version, a package of a registry that is not ours, or puts settings into shell text', () => {
  expect(files.length).toBeGreaterThan(100);
  const found = files.map((path) => [path, problemsIn(readFileSync(join(project, path), 'utf8'))] as const);
  expect(found.filter(([, problems]) => problems.length > 0)).toEqual([]);
});

it.each([
  '- uses: actions/checkout@v4',
  '- uses: github/codeql-action/upload-sarif@v3',
  '  using: node20',
  'npx assay scan https://shop.example.com/',
  'npx -y assay-admin migrate',
  'npm install assay-sdk',
  'npm install --global assay',
  '- run: ./pipeline.sh ${{ inputs.url }}',
  '    - assay scan "$[[ inputs.url ]]"',
])('the rule reports %j', (line) => {
  expect(problemsIn(line)).toHaveLength(1);
});

it.each([
  'npm init --yes && npm install /path/to/assay-0.2.0.tgz',
  'npx --no assay-api',
  '- uses: actions/checkout@v6',
])('the rule passes %j', (line) => {
  expect(problemsIn(line)).toEqual([]);
});
