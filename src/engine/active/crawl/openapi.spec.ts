import type { Page } from '../../page';
import { openapiIn, requestsOfOpenapi } from './openapi';

function requestsIn(text: string): string[] {
  const document = openapiIn({ status: 200, text } as Page);
  const found = document === null ? [] : [...requestsOfOpenapi(document, 'https://api.test/')];
  return found.map(({ url }) => `${url?.pathname}${url?.search}`);
}

const LIST = Array(9).fill('*');
/** Each list contains the one before it nine times. */
const LAUGHS = Array.from({ length: 40 }, (_, at) =>
  at === 0 ? 'laugh0: &laugh0 [ha]' : `laugh${at}: &laugh${at} [${LIST.map(() => `*laugh${at - 1}`).join(', ')}]`,
).join('\n');

describe('an operation of an OpenAPI document', () => {
  const text = 'é'.repeat(1_000);
  const operationsOf = (parameters: object[], path = '/teas') =>
    requestsIn(JSON.stringify({ openapi: '3.0.0', paths: { [path]: { get: { parameters } }, '/cups': { get: {} } } }));

  it.each([
    [
      'many long values',
      Array.from({ length: 40 }, (_, at) => ({ name: `q${at}`, in: 'query', example: text })),
      '/teas',
    ],
    ['a long value many times in its path', [{ name: 'a', in: 'path', example: text }], `/x${'{a}'.repeat(300)}`],
  ])('is left out with %s, and the others are not', (_what, parameters, path) => {
    expect(operationsOf(parameters, path)).toEqual(['/cups']);
  });

  it('is sent with some long values', () => {
    expect(operationsOf([{ name: 'q', in: 'query', example: text }])).toEqual([
      `/teas?q=${'%C3%A9'.repeat(1_000)}`,
      '/cups',
    ]);
  });
});

describe('an OpenAPI document in YAML', () => {
  it('is read with anchors and merge keys', () => {
    const text = `openapi: 3.0.0
x-page: &page {name: page, in: query, schema: &number {type: integer}}
x-read: &read
  parameters: [*page]
paths:
  /teas:
    get: {<<: *read, operationId: teas}
  /cups:
    get:
      <<: [{summary: Cups}, *read]
      parameters:
        - <<: *page
          name: size
        - {name: q, in: query, schema: {<<: *number, example: 7}}
  <<: {/merged: {get: {}}}
  /none:
    get: {<<: 5}
`;
    expect(requestsIn(text)).toEqual(['/teas?page=1', '/cups?size=1&q=7', '/none']);
  });

  it.each([
    [
      'lists of lists of lists',
      `${LAUGHS}\npaths: {/x: {get: {parameters: *laugh39, <<: *laugh39}}, /y: {get: {parameters: [{name: *laugh39, in: query}]}}}`,
    ],
    [
      'a large record and a long text in each parameter of all operations',
      `x-long: &long ${'x'.repeat(50_000)}
x-large: &large {name: a, in: query, example: *long, ${Array.from({ length: 8_000 }, (_, at) => `k${at}: 1`).join(', ')}}
x-all: &all {get: {parameters: [${LIST.map(() => '*large, {<<: *large}').join(', ')}]}}
paths: {${Array.from({ length: 500 }, (_, at) => `/p${at}: *all`).join(', ')}}`,
    ],
    [
      'references of many names in each parameter of all operations',
      `x-deep: &deep {$ref: "#${'/'.repeat(150_000)}"}
x-all: &all {get: {parameters: [${Array(40).fill('*deep').join(', ')}]}}
paths: {${Array.from({ length: 500 }, (_, at) => `/p${at}: *all`).join(', ')}}`,
    ],
    ['a record that contains itself', 'x: &x {<<: *x, get: *x, parameters: [*x], schema: *x}\npaths: {/x: *x}'],
    ['nesting without end', `paths: ${'['.repeat(100_000)}`],
  ])('is read quickly with %s', (_what, text) => {
    const document = `openapi: 3.0.0\n${text}\n`;
    expect(document.length).toBeLessThan(200_000);
    const before = performance.now();
    const requests = requestsIn(document);
    expect(performance.now() - before).toBeLessThan(10_000);
    expect(requests.join('').length).toBeLessThan(1_000_000);
  });

  it.each([
    ['records', '[', '{a},', '1]'],
    ['aliases', '[', '{<<: [*a,*a]},', '1]'],
    ['lines', '', '\n  - a: 1', ''],
  ])('is not read with more %s than any description has, which takes long', (_what, before, part, after) => {
    const documentOf = (parts: number): string =>
      `openapi: 3.0.0\nx: &a {b: 1}\npaths: {/teas: {get: {}}}\ny: ${before}${part.repeat(parts)}${after}\n`;
    expect(requestsIn(documentOf(3_000))).toEqual(['/teas']);
    expect(documentOf(10_500).length).toBeLessThan(200_000);
    expect(requestsIn(documentOf(10_500))).toEqual([]);
  });
});
