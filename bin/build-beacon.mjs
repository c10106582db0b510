import { chmodSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

// Builds the agent of beacons into one file that needs Node and nothing else:
//
//   node bin/build-beacon.mjs [--out <file>]

const project = dirname(dirname(fileURLToPath(import.meta.url)));
const read = (...path) => readFileSync(join(project, ...path), 'utf8');
const { values } = parseArgs({
  options: { out: { type: 'string', default: join(project, 'dist', 'assay-beacon.cjs') } },
});
const { version, license } = JSON.parse(read('package.json'));

/** The version is read from package.json, which is not next to the file. */
const withVersion = {
  name: 'with-version',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]kernel[\\/]package-version\.ts$/ }, () => ({
      contents: `export const packageVersion = ${JSON.stringify(version)};`,
    })),
};

/** The licenses require that their texts are passed on. */
const licenseOf = (name) => `${name}\n\n${read('node_modules', name, 'LICENSE').trim()}`;

// Not minified, so that the owner of a network can read what runs there.
await build({
  entryPoints: [join(project, 'src', 'apps', 'beacon', 'main.ts')],
  outfile: values.out,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  tsconfigRaw: {},
  plugins: [withVersion],
  // Without these, ws would look for native packages next to the file.
  define: { 'process.env.WS_NO_BUFFER_UTIL': '"true"', 'process.env.WS_NO_UTF_8_VALIDATE': '"true"' },
  banner: { js: `#!/usr/bin/env node\n// assay-beacon ${version}, license ${license}. Built from src/apps/beacon.` },
  footer: { js: `/*\n${['ws', 'ipaddr.js'].map(licenseOf).join('\n\n')}\n*/` },
  logLevel: 'warning',
});
chmodSync(values.out, 0o755);
