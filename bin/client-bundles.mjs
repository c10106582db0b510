import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const project = dirname(dirname(fileURLToPath(import.meta.url)));
const read = (...path) => readFileSync(join(project, ...path), 'utf8');
const { version, license } = JSON.parse(read('package.json'));

/** The licenses require that their texts are passed on. */
const licenseOf = (name) => `${name}\n\n${read('node_modules', name, 'LICENSE').trim()}`;

/** Bundles a client into one file that needs Node and nothing else. Not minified, so that its users can read what runs. */
export async function bundleClient(client, entry, outfile, { format = 'cjs', packages = ['openapi-fetch'] } = {}) {
  const hashbang = client === 'cli' ? '#!/usr/bin/env node\n' : '';
  await build({
    absWorkingDir: project,
    entryPoints: [join('clients', client, 'src', entry)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format,
    tsconfigRaw: {},
    define: { ASSAY_VERSION: JSON.stringify(version) },
    banner: { js: `${hashbang}// Assay ${version}, license ${license}. Built from clients/${client}.` },
    footer: { js: `/*\n${packages.map(licenseOf).join('\n\n')}\n*/` },
    logLevel: 'warning',
  });
}

/** The program of users, with the hash that they can compare. */
export async function bundleProgram(outfile) {
  mkdirSync(dirname(outfile), { recursive: true });
  await bundleClient('cli', 'program.ts', outfile, {
    packages: ['openapi-fetch', 'commander', '@modelcontextprotocol/server', '@modelcontextprotocol/core', 'zod'],
  });
  chmodSync(outfile, 0o755);
  const hash = createHash('sha256').update(readFileSync(outfile)).digest('hex');
  writeFileSync(`${outfile}.sha256`, `${hash}  ${basename(outfile)}\n`);
}
