import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const read = (path: string): string => readFileSync(join(__dirname, path), 'utf8');

it('the types are those of docs/openapi.yaml: run npm run openapi:export after a change of the API', () => {
  const [first = '', ...types] = read('api-types.ts').split('\n');
  const [, document, own] = /Document: (\w+), types: (\w+)$/.exec(first) ?? [];
  expect([document, own]).toEqual([sha256(read('../../../docs/openapi.yaml')), sha256(types.join('\n'))]);
});
