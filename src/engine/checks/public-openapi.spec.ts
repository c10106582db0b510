import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { lookalikeSites } from '../testing/lookalike-sites';
import { probeSite } from '../testing/probe-site';
import { publicOpenapi } from './public-openapi';

const at = (path: string, body: string, type = 'text/plain'): Site => ({
  pages: { [path]: { headers: { 'content-type': type }, body } },
});

const DOCUMENT = '{"openapi":"3.1.0","info":{"title":"Shop","version":"1"},"paths":{"/orders":{}}}';

truthTable(publicOpenapi, {
  scheme: 'http',
  vulnerable: at('/openapi.json', DOCUMENT, 'application/json'),
  fixed: {},
  alsoVulnerable: {
    'it is in YAML': at('/openapi.yaml', '# Shop\nopenapi: 3.0.3\ninfo:\n  title: Shop\n'),
    'it is of Swagger, behind a description': at(
      '/v2/api-docs',
      `{\n  "info": {"description": "${'long '.repeat(50)}"},\n  "swagger": "2.0"}`,
    ),
  },
  softErrors: lookalikeSites(DOCUMENT),
  alsoBlocked: {
    'it asks for credentials': {
      pages: { '/openapi.json': { status: 401, headers: { 'www-authenticate': 'Basic realm="api"' } } },
    },
  },
});

describe('public-openapi', () => {
  it.each([
    ['JSON that speaks of it', '/swagger.json', '{"error":"swagger is off","openapi":false}'],
    [
      'the page of its user interface',
      '/api-docs',
      '<!doctype html><title>Swagger UI</title><div id="swagger-ui">"openapi":"3.0.0"</div>',
    ],
  ])('does not treat %s as a document', async (_what, path, body) => {
    expect(await probeSite(publicOpenapi, at(path, body))).toBe('not_vulnerable');
  });
});
