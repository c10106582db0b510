import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// eslint-disable-next-line @typescript-eslint/no-require-imports
const { modules, engineUsers, platform } = require('./allowed-imports.cjs') as {
  readonly modules: Readonly<Record<string, readonly string[]>>;
  readonly engineUsers: readonly string[];
  readonly platform: readonly string[];
};

const source = join(__dirname, '..', '..', 'src');

const foldersOf = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

/** The names of the modules that a module imports, and `engine`. */
function importsOf(module: string): Set<string> {
  const folder = join(source, 'modules', module);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const texts = files
    .filter((file) => /(?<!\.spec)\.tsx?$/.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  return new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/from '(?:\.\.\/)+(?:(engine)\/[^']+|([a-z]+)(?:\/domain\/[^']+)?)'/g)].map(
        ([, engine, name]) => engine ?? name ?? '',
      ),
    ),
  );
}

/** The allowed imports that no file uses, as `module -> module`. */
const unused = (allowedImports: Readonly<Record<string, readonly string[]>>): string[] =>
  Object.entries(allowedImports).flatMap(([name, allowed]) => {
    const imported = importsOf(name);
    return allowed.filter((other) => !imported.has(other)).map((other) => `${name} -> ${other}`);
  });

describe('the allowed imports between folders', () => {
  it('list every module, every folder of the platform and no other', () => {
    expect(Object.keys(modules).sort()).toEqual(foldersOf(join(source, 'modules')).sort());
    expect([...platform].sort()).toEqual(foldersOf(join(source, 'platform')).sort());
  });

  it('let a module import only modules that are listed before it, so that there is no cycle', () => {
    const names = Object.keys(modules);
    for (const [name, allowed] of Object.entries(modules)) {
      expect(allowed.filter((other) => names.indexOf(other) >= names.indexOf(name))).toEqual([]);
    }
  });

  it('are all used', () => {
    expect(unused(modules)).toEqual([]);
    expect(engineUsers.filter((name) => !importsOf(name).has('engine'))).toEqual([]);
  });

  it('are reported when no import uses them', () => {
    expect(unused({ organizations: ['reports'] })).toEqual(['organizations -> reports']);
  });
});
