import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import { load } from 'js-yaml';
import { withDemoExamples } from '../../src/apps/api/demo-examples';
import { openapiYaml } from '../../src/apps/cli/openapi-export';
import { NO_SUCH_UUID } from '../../src/platform/http/path-uuid';
import { startApi, useApi } from '../support/api';
import { currentContract } from '../support/contract';

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

it('docs/openapi.yaml is up to date with the code (npm run openapi:export)', async () => {
  expect(readFileSync(join(__dirname, '../../docs/openapi.yaml'), 'utf8')).toBe(await openapiYaml());
});

it('is served as JSON and as YAML, the same document, in version 3.0.3', async () => {
  const json = JSON.parse((await fetchText('/openapi.json')).text) as { openapi: string };
  expect(json.openapi).toBe('3.0.3');
  expect(load((await fetchText('/openapi.yaml')).text)).toEqual(json);
  expect(load(await openapiYaml())).toEqual(json);
});

it('is written once for each format, and not for each request', async () => {
  const paths = ['/openapi.json', '/openapi.yaml', '/docs/swagger-ui-init.js'];
  const first = await Promise.all(paths.map(fetchText));
  const dump = jest.spyOn(JSON, 'stringify').mockImplementation(() => {
    throw new Error('It was written again.');
  });
  try {
    const again = await Promise.all(paths.map(fetchText));
    expect(again.map(({ status, type, text }) => [status, type, text])).toEqual(
      first.map(({ type, text }) => [200, type, text]),
    );
  } finally {
    dump.mockRestore();
  }
});

it('is browsable at /docs under a strict Content-Security-Policy', async () => {
  const { status, text, headers } = await fetchText('/docs');
  expect(status).toBe(200);
  expect(text).toContain('swagger-ui');
  expect(headers.get('content-security-policy')).toContain("script-src 'self'");
});

it('serves at /docs everything that the page loads, without a redirect', async () => {
  const { text } = await fetchText('/docs');
  const files = Array.from(text.matchAll(/(?:src|href)=["']([^"']+)["']/g), ([, file = '']) => file);
  expect(files).toEqual(
    expect.arrayContaining([
      '/docs/assay.css',
      '/docs/assay.svg',
      '/docs/assay-swagger-ui.js',
      './docs/swagger-ui.css',
    ]),
  );
  for (const file of files) {
    const response = await fetch(new URL(file, `${api.url}/`), { redirect: 'manual' });
    await response.text();
    const { status, headers } = response;
    expect([file, status, headers.get('content-type')]).toEqual([
      file,
      200,
      expect.stringMatching(/css|svg|javascript/),
    ]);
  }
});

it('loads the plugin of /docs with the forms for both kinds of credentials, and no online validator', async () => {
  const { text: start } = await fetchText('/docs/swagger-ui-init.js');
  expect(start).toMatch(/"plugins": \[\s*\(system\) *=> *globalThis\.assaySwaggerUi\(system\)/);
  expect(start).toContain('"validatorUrl": null');
  const { text: plugin } = await fetchText('/docs/assay-swagger-ui.js');
  const schemes = Object.keys(currentContract().document.components?.securitySchemes ?? {});
  expect(schemes.sort()).toEqual(['basic', 'beacon']);
  for (const scheme of schemes) expect(plugin).toContain(`${scheme}: { title: `);
});

describe('GET /', () => {
  const root = (accept: string, method = 'GET') =>
    fetch(`${api.url}/`, { method, headers: { accept }, redirect: 'manual' });
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

  it.each(['GET', 'HEAD'])('leads a browser to /docs (%s)', async (method) => {
    const response = await root(browser, method);
    await response.text();
    const { status, headers } = response;
    expect([status, headers.get('location'), headers.get('vary')]).toEqual([302, '/docs', 'Accept']);
  });

  it.each(['application/json', '*/*', 'image/png'])('responds to Accept: %s with the addresses', async (accept) => {
    const response = await root(accept);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      service: 'Assay',
      api: '/v1',
      documentation: '/docs',
      openapi: '/openapi.json',
      client: '/client/assay.cjs',
      portal: expect.stringMatching(/^http:/),
    });
  });

  it('leads to the prefix of the gateway', async () => {
    const behindGateway = await startApi({ BASE_PATH: '/assay' });
    try {
      const response = await fetch(behindGateway.url, { headers: { accept: browser }, redirect: 'manual' });
      await response.text();
      expect(response.headers.get('location')).toBe('/assay/docs');
      expect(await (await fetch(behindGateway.url)).json()).toMatchObject({ openapi: '/assay/openapi.json' });
      expect(await (await fetch(`${behindGateway.url}/docs`)).text()).toContain("'/assay/docs/assay.css'");
    } finally {
      await behindGateway.app.close();
    }
  });
});

describe('the examples of the demo data', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-examples-'));
  const demoFile = join(folder, 'demo.json');
  afterAll(() => rmSync(folder, { recursive: true }));
  const document = (): OpenAPIObject => currentContract().document;
  const withFile = (content: string): OpenAPIObject => {
    writeFileSync(demoFile, content);
    return withDemoExamples(document(), demoFile);
  };
  const examples = { event_slug: 'demo-4k2p9x', finding_id: 71, uuid: NO_SUCH_UUID, url: 'http://127.0.0.1:3100/' };
  const file = JSON.stringify({ integrator: { api_secret: 'as_secret' }, examples });

  it('replace those of path parameters and of the URL to launch, and nothing else of the file is shown', () => {
    const { paths } = withFile(file);
    const exampleOf = (path: string, name: string): unknown => {
      const parameters = (paths[path]?.get?.parameters ?? []) as { name: string; example?: unknown }[];
      return parameters.find((one) => one.name === name)?.example;
    };
    expect(exampleOf('/v1/events/{event_slug}', 'event_slug')).toBe('demo-4k2p9x');
    expect(exampleOf('/v1/findings/{finding_id}/', 'finding_id')).toBe(71);
    expect(exampleOf('/v1/jobs/{uuid}/status', 'uuid')).toBe(NO_SUCH_UUID);
    expect(exampleOf('/v1/reports/{report_id}/', 'report_id')).toBe(1);
    expect(JSON.stringify(paths['/v1/jobs/launch'])).toContain('"url":"http://127.0.0.1:3100/"');
    expect(JSON.stringify(paths)).not.toContain('as_secret"');
  });

  it('are never those of an operation that deletes', () => {
    const { paths } = withFile(
      JSON.stringify({ examples: { ...examples, organization_id: 7, asset_id: 7, domain_id: 7 } }),
    );
    const deletions = Object.entries(paths).filter(([, item]) => item.delete !== undefined);
    expect(deletions.length).toBeGreaterThan(3);
    for (const [path, item] of deletions) expect(item.delete).toEqual(document().paths[path]?.delete);
  });

  it('are left out while the file is missing or incomplete', () => {
    for (const content of ['{}', '{"examples"']) expect(withFile(content)).toEqual(document());
    expect(withDemoExamples(document(), join(folder, 'missing.json'))).toEqual(document());
  });

  it('are shown by Swagger UI if DEMO_FILE is set', async () => {
    writeFileSync(demoFile, file);
    const demo = await startApi({ DEMO_FILE: demoFile });
    try {
      expect(await (await fetch(`${demo.url}/docs/swagger-ui-init.js`)).text()).toContain('"example": "demo-4k2p9x"');
    } finally {
      await demo.app.close();
    }
  });
});

it('describes every tag', () => {
  const { tags = [] } = currentContract().document;
  expect(tags.length).toBeGreaterThan(5);
  for (const { name, description } of tags) expect([name, description]).toEqual([name, expect.stringMatching(/\.$/)]);
});

it('has an example of every error that an operation lists, with the status of the error', () => {
  const { paths, components = {} } = currentContract().document;
  const shared = components.responses as unknown as Record<
    string,
    { content: { 'application/json': { example: unknown } } }
  >;
  const items = Object.values(paths) as Record<string, { responses: Record<string, { $ref?: string }> }>[];
  for (const { responses } of items.flatMap((item) => Object.values(item)))
    for (const [status, { $ref = '' }] of Object.entries(responses).filter(([status]) => Number(status) >= 400))
      expect(shared[$ref.split('/').at(-1) ?? '']?.content['application/json'].example).toMatchObject({
        code: Number(status),
        description: expect.stringMatching(/\.$/),
        success: false,
      });
});

it('describes the usual refusals of a launch in its default response, with an example of each', () => {
  const { responses = {} } = currentContract().document.paths['/v1/jobs/launch']?.post ?? {};
  const { description, content } = responses['default'] as {
    description: string;
    content: { 'application/json': { examples: Record<string, { value: { code: number } }> } };
  };
  const codes = Object.values(content['application/json'].examples).map(({ value }) => value.code);
  expect(codes).toEqual([403, 409, 422, 503]);
  for (const code of codes.slice(0, 3)) expect(description).toContain(`- ${code}: `);
});

it('declares downloads in JSON as objects, and the size of every upload', () => {
  const operations = Object.values(currentContract().document.paths).flatMap((item) => Object.values(item)) as {
    requestBody?: { content: Record<string, { schema: { format?: string; maxLength?: number } }> };
    responses: Record<string, { content?: Record<string, { schema: { type?: string } }> }>;
  }[];
  for (const { requestBody, responses } of operations) {
    for (const { schema } of Object.values(requestBody?.content ?? {}))
      if (schema.format === 'binary') expect(schema.maxLength).toBeGreaterThan(0);
    for (const [type, { schema }] of Object.entries(responses['200']?.content ?? {}))
      if (/[/+]json$/.test(type)) expect([type, schema.type ?? 'object']).toEqual([type, 'object']);
  }
});

it('shows a 401 at /docs instead of the login prompt of the browser', async () => {
  const { text } = await fetchText('/docs/swagger-ui-init.js');
  expect(text).toMatch(/"requestInterceptor": \(?request\)? *=>[^}]*credentials: *'omit'/);
});

it('documents Idempotency-Key exactly on the operations that support it', () => {
  const { paths } = currentContract().document;
  const documented = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, { parameters?: unknown[]; responses: Record<string, unknown> }>)
      .filter(([, { parameters = [] }]) => JSON.stringify(parameters).includes('/IdempotencyKey"'))
      .map(([method, { responses }]) => {
        expect(JSON.stringify(responses)).toContain('"Idempotency-Replayed"');
        return `${method} ${path}`;
      }),
  );
  const ofBeacons = new Set(['/v1/beacons/report', '/v1/beacons/register']);
  const posts = Object.keys(paths).filter((path) => 'post' in (paths[path] ?? {}) && !ofBeacons.has(path));
  expect(documented.sort()).toEqual(posts.map((path) => `post ${path}`).sort());
});

it('has an example of every id in a path, except where a request would delete the example', () => {
  const items = Object.values(currentContract().document.paths) as Record<string, { parameters?: Parameter[] }>[];
  for (const [method, { parameters = [] }] of items.flatMap((item) => Object.entries(item))) {
    const ids = parameters.filter(({ in: path, schema }) => path === 'path' && schema?.type === 'integer');
    for (const { example } of ids) expect([method, example]).toEqual([method, method === 'delete' ? undefined : 1]);
  }
});

interface Parameter {
  readonly in?: string;
  readonly schema?: { readonly type: string };
  readonly example?: unknown;
}

/** Every object below `node`, with its JSON pointer. */
function* objectsIn(node: unknown, pointer = '#'): Generator<[pointer: string, node: Record<string, unknown>]> {
  if (typeof node !== 'object' || node === null) return;
  yield [pointer, node as Record<string, unknown>];
  for (const [key, child] of Object.entries(node)) yield* objectsIn(child, `${pointer}/${key}`);
}

it('lists null in the enum of every nullable value', () => {
  const nullable = [...objectsIn(currentContract().document)].filter(
    ([, { nullable: mayBeNull, enum: values }]) => mayBeNull === true && Array.isArray(values),
  );
  expect(nullable.length).toBeGreaterThan(5);
  expect(
    nullable.filter(([, schema]) => !(schema['enum'] as unknown[]).includes(null)).map(([pointer]) => pointer),
  ).toEqual([]);
});

type Json = Record<string, unknown>;

/** Every object of the document with a member of this name, with its path. */
function* pathsTo(name: string, node: unknown, path: string[] = []): Generator<[path: string[], node: Json]> {
  if (typeof node !== 'object' || node === null) return;
  if (Object.hasOwn(node, name)) yield [path, node as Json];
  for (const [key, child] of Object.entries(node)) yield* pathsTo(name, child, [...path, key]);
}

describe('examples', () => {
  const exampleOf = ([path, node]: [string[], Json]) => ({ path, example: node['example'] });
  const isOfSchema = ({ path }: { path: string[] }): boolean => path[0] === 'components' && path[1] === 'schemas';

  it('of bodies and parameters match their schemas', () => {
    const contract = currentContract();
    const beside = [...pathsTo('example', contract.document)].filter(([, node]) => 'schema' in node).map(exampleOf);
    expect(beside.length).toBeGreaterThan(150);
    const problems = beside.flatMap(({ path, example }) =>
      contract.problemsAt([...path, 'schema'], example).map((problem) => `${path.join(' ')}: ${problem}`),
    );
    expect(problems).toEqual([]);
  });

  it('of single fields match the schema of the field', () => {
    const contract = currentContract();
    const own = [...pathsTo('example', contract.document)].map(exampleOf).filter(isOfSchema);
    const problems = own.flatMap(({ path, example }) =>
      contract.problemsAt(path, example).map((problem) => `${path.join(' ')}: ${problem}`),
    );
    expect(problems).toEqual([]);
  });

  it('exist for every request body and every success body', () => {
    const lacking = [...pathsTo('schema', currentContract().document.paths)]
      .filter(([path]) => path.at(-1) === 'application/json')
      .filter(([path]) => !['example', 'examples'].some((name) => name in (valueAt(path) as object)))
      .filter(([path]) => !(path.at(-4) === 'responses' && Number(path.at(-3)) >= 400))
      .map(([path]) => path.join(' '));
    expect(lacking).toEqual([]);
  });
});

const valueAt = (path: readonly string[]): unknown =>
  path.reduce<unknown>((node, key) => (node as Json)[key], currentContract().document.paths);

describe('the schema of a request', () => {
  const requestSchemas = (): Map<string, Json> => {
    const { document } = currentContract();
    const names = [...pathsTo('requestBody', document.paths)].flatMap(([, operation]) =>
      [...pathsTo('$ref', operation['requestBody'])].map(([, { $ref }]) => String($ref).split('/').at(-1) ?? ''),
    );
    const schemas = document.components?.schemas as unknown as Record<string, Json>;
    return new Map(names.map((name) => [name, schemas[name] ?? {}]));
  };

  it('allows no additional fields', () => {
    const open = [...requestSchemas()].flatMap(([name, schema]) =>
      [...pathsTo('properties', schema)]
        .filter(([, { additionalProperties }]) => additionalProperties !== false)
        .map(([path]) => [name, ...path].join(' ')),
    );
    expect(requestSchemas().size).toBeGreaterThan(10);
    expect(open).toEqual([]);
  });

  it('limits every string, number and list', () => {
    const isBounded = ({ type, format, enum: values, ...schema }: Json): boolean => {
      if (values !== undefined || format === 'date-time') return true;
      if (type === 'string') return schema['maxLength'] !== undefined;
      if (type === 'integer' || type === 'number') return 'minimum' in schema && 'maximum' in schema;
      return type !== 'array' || 'maxItems' in schema;
    };
    const unbounded = [...requestSchemas()].flatMap(([name, schema]) =>
      [...pathsTo('type', schema)]
        .filter(([, node]) => typeof node['type'] === 'string' && !isBounded(node))
        .map(([path]) => [name, ...path].join(' ')),
    );
    expect(unbounded).toEqual([]);
  });
});
