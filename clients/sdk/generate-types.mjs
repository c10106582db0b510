import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';

// Writes src/api-types.ts from the document of the API:  node clients/sdk/generate-types.mjs

const folder = dirname(fileURLToPath(import.meta.url));
const document = join(folder, '..', '..', 'docs', 'openapi.yaml');
const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex');

const types = astToString(await openapiTS(pathToFileURL(document), { silent: true }), {
  formatOptions: { removeComments: true },
});
const stated = `// Written by generate-types.mjs. Document: ${hashOf(readFileSync(document))}, types: ${hashOf(types)}`;
writeFileSync(join(folder, 'src', 'api-types.ts'), `${stated}\n${types}`);
