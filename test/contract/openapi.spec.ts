import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { openapiYaml } from '../../src/apps/cli/openapi-export';
import { useApi } from '../support/api';
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

it('is browsable at /docs under a strict Content-Security-Policy', async () => {
  const { status, text, headers } = await fetchText('/docs');
  expect(status).toBe(200);
  expect(text).toContain('swagger-ui');
  expect(headers.get('content-security-policy')).toContain("script-src 'self'");
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
  const posts = Object.keys(paths).filter((path) => 'post' in (paths[path] ?? {}) && path !== '/v1/beacons/report');
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
      .filter(([path]) => path.at(-1) === 'application/json' && !('example' in (valueAt(path) as object)))
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
