import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { openapiYaml } from '../../src/apps/cli/openapi-export';
import { useApi } from '../support/api';

const api = useApi();
const fetchText = async (
  path: string,
): Promise<{ status: number; type: string | null; text: string; headers: Headers }> => {
  const response = await fetch(api.url + path);
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    text: await response.text(),
    headers: response.headers,
  };
};

it('docs/openapi.yaml is what the code says: npm run openapi:export makes it so', async () => {
  expect(readFileSync(join(__dirname, '../../docs/openapi.yaml'), 'utf8')).toBe(await openapiYaml());
});

it('is served as JSON and as YAML, the same document, in version 3.0.3', async () => {
  const json = JSON.parse((await fetchText('/openapi.json')).text) as { openapi: string };
  expect(json.openapi).toBe('3.0.3');
  expect(load((await fetchText('/openapi.yaml')).text)).toEqual(json);
  expect(load(await openapiYaml())).toEqual(json);
});

it('is explored at /docs, under a strict policy for scripts', async () => {
  const { status, text, headers } = await fetchText('/docs');
  expect(status).toBe(200);
  expect(text).toContain('swagger-ui');
  expect(headers.get('content-security-policy')).toContain("script-src 'self'");
});

it('shows a 401 at /docs instead of waiting for the prompt of the browser', async () => {
  const { text } = await fetchText('/docs/swagger-ui-init.js');
  expect(text).toMatch(/"requestInterceptor": \(?request\)? *=>[^}]*credentials: *'omit'/);
});
