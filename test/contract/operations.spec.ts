import { useApi } from '../support/api';
import { currentContract } from '../support/contract';
import { type SpecifiedOperation, specification } from './specification';

useApi();

interface Schema {
  readonly $ref?: string;
  readonly properties?: Record<string, unknown>;
}

interface Response {
  readonly $ref?: string;
  readonly content?: Record<string, { schema: Schema; example?: unknown }>;
}

interface Documented {
  readonly 'x-specification': number | 'addition';
  readonly operationId: string;
  readonly requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
  readonly responses: Record<string, Response>;
}

const documented = ({ method, path }: Pick<SpecifiedOperation, 'method' | 'path'>): Documented | undefined =>
  (currentContract().document.paths[path] as Record<string, Documented> | undefined)?.[method.toLowerCase()];

function fieldsOf(schema: Schema | undefined): string[] {
  if (schema === undefined) return [];
  const name = schema.$ref?.split('/').at(-1);
  const resolved = name === undefined ? schema : (currentContract().document.components?.schemas?.[name] as Schema);
  return Object.keys(resolved.properties ?? {}).sort();
}

/** Operations refer to the response that all of them have. */
const resolved = (response: Response): Response =>
  response.$ref === undefined
    ? response
    : (currentContract().document.components?.responses?.[response.$ref.split('/').at(-1) ?? ''] as Response);

const jsonOf = (part: { content?: Record<string, { schema: Schema; example?: unknown }> } | undefined) =>
  part?.content?.['application/json'];

const implemented = specification.filter(({ missing }) => missing === undefined);
const missing = specification.filter((operation) => operation.missing !== undefined);
const label = (operation: SpecifiedOperation) =>
  [`${operation.number} ${operation.method} ${operation.path}`, operation] as const;

describe('the 28 operations of the specification', () => {
  it('are all in the table', () => {
    expect(specification.map(({ number }) => number)).toEqual(Array.from({ length: 28 }, (_, index) => index + 1));
  });

  it.each(implemented.map(label))('are documented with their fields: %s', (_name, operation) => {
    const found = documented(operation);
    expect(found).toBeDefined();
    if (found === undefined) return;
    expect(found['x-specification']).toBe(operation.number);
    expect(fieldsOf(jsonOf(found.requestBody)?.schema)).toEqual(
      [...operation.body, ...(operation.moreBody ?? [])].sort(),
    );
    const success = found.responses[operation.success];
    expect(fieldsOf(jsonOf(success)?.schema)).toEqual([...operation.answer, ...(operation.more ?? [])].sort());
    // conditional-requests.spec.ts says which operations have a 412, and every limited operation has a 429.
    const errors = Object.keys(found.responses).filter(
      (status) => !['default', '412', '429'].includes(status) && Number(status) >= 400,
    );
    expect(errors.map(Number).sort()).toEqual([...operation.errors]);
    expect(found.responses['default']).toBeDefined();
  });

  if (missing.length > 0) {
    it.each(missing.map(label))('%s is not implemented yet', (_name, operation) => {
      // When the operation exists, this fails until `missing` is removed from its row.
      expect(documented(operation)).toBeUndefined();
    });
  }

  it('lists the number of missing operations', () => {
    process.stdout.write(`operations: ${implemented.length} of 28 there, ${missing.length} to come\n`);
    expect(implemented.length + missing.length).toBe(28);
  });
});

describe('every operation of the document', () => {
  it('has a unique id, an example of each body, and the error schema for every error', () => {
    const all = Object.values(currentContract().document.paths).flatMap((item) => Object.values(item) as Documented[]);
    expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length);
    for (const operation of all) {
      const request = jsonOf(operation.requestBody);
      if (request !== undefined)
        expect([operation.operationId, request.example]).not.toEqual([operation.operationId, undefined]);
      for (const [status, response] of Object.entries(operation.responses)) {
        const json = jsonOf(resolved(response));
        if (status === 'default' || Number(status) >= 400)
          expect(json?.schema.$ref).toBe('#/components/schemas/ErrorBody');
        else if (json !== undefined)
          expect([operation.operationId, json.example]).not.toEqual([operation.operationId, undefined]);
      }
    }
  });

  it('has response examples that match its own schema', () => {
    for (const [path, item] of Object.entries(currentContract().document.paths)) {
      for (const [method, operation] of Object.entries(item) as [string, Documented][]) {
        for (const [status, response] of Object.entries(operation.responses)) {
          const example = jsonOf(response)?.example;
          if (status === 'default' || example === undefined) continue;
          expect(() => currentContract().check(method.toUpperCase(), path, Number(status), example)).not.toThrow();
        }
      }
    }
  });
});
