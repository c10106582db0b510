import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { bundleClient, bundleProgram } from './client-bundles.mjs';

// Builds what `npm pack --workspaces` packs, and the file of the action:
//
//   node bin/build-clients.mjs [sdk] [cli] [action]     all of them by default

const project = dirname(dirname(fileURLToPath(import.meta.url)));
const clients = join(project, 'clients');

/** The types of the two packages in the bundle are beside ours, so that the package needs no other. */
const VENDORED = ['openapi-fetch', 'openapi-typescript-helpers'];

function writeTypes(folder) {
  const types = join(folder, 'types');
  mkdirSync(types, { recursive: true });
  const besideIt = (text) =>
    VENDORED.reduce(
      (text, name) => text.replaceAll(`'${name}'`, `'./${name}'`).replaceAll(`"${name}"`, `"./${name}"`),
      text,
    );
  for (const name of VENDORED)
    writeFileSync(
      join(types, `${name}.d.ts`),
      besideIt(readFileSync(join(project, 'node_modules', name, 'dist', 'index.d.ts'), 'utf8')),
    );
  const sources = join(clients, 'sdk', 'src');
  for (const name of readdirSync(sources).filter((file) => /(?<!\.spec)\.ts$/.test(file))) {
    const text = readFileSync(join(sources, name), 'utf8');
    const { outputText, diagnostics = [] } = ts.transpileDeclaration(text, { fileName: name, reportDiagnostics: true });
    if (diagnostics.length > 0)
      throw new Error(`${name}: ${ts.flattenDiagnosticMessageText(diagnostics[0].messageText, '\n')}`);
    writeFileSync(join(types, name.replace(/\.ts$/, '.d.ts')), besideIt(outputText));
  }
}

const builders = {
  async sdk() {
    const folder = join(clients, 'sdk', 'dist');
    rmSync(folder, { recursive: true, force: true });
    writeTypes(folder);
    await bundleClient('sdk', 'index.ts', join(folder, 'index.cjs'));
    await bundleClient('sdk', 'index.ts', join(folder, 'index.mjs'), { format: 'esm' });
  },
  cli: () => bundleProgram(join(clients, 'cli', 'dist', 'assay.cjs')),
  action: () => bundleClient('action', 'main.ts', join(clients, 'action', 'action.cjs')),
};

const named = process.argv.slice(2);
for (const name of named.length > 0 ? named : Object.keys(builders)) await builders[name]();
