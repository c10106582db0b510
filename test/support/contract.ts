import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { buildApiDocument } from '../../src/apps/api/documentation';

type Json = Record<string, unknown>;

let contract: Contract | undefined;

/** The document is the same for every API, whatever its settings are. */
export function useContract(app: INestApplication): void {
  contract ??= new Contract(buildApiDocument(app, { BASE_PATH: '' }));
}

export function currentContract(): Contract {
  if (contract === undefined) throw new Error('call useApi() or useContract() in this file first');
  return contract;
}

/** Validates responses against the OpenAPI document: unknown or missing fields fail the test. */
export class Contract {
  private readonly ajv = new Ajv({ strict: false, allErrors: true });
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly routes: { method: string; path: string; pattern: RegExp }[];

  constructor(readonly document: OpenAPIObject) {
    (addFormats as unknown as (ajv: Ajv) => void)(this.ajv);
    this.ajv.addSchema({ $id: 'openapi', ...(strict(document) as Json) });
    this.routes = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => ({
        method: method.toUpperCase(),
        path,
        pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+').replace(/\/$/, '')}/?$`),
      })),
    );
  }

  /** Throws unless the document describes this response. Unknown paths must return the error body. */
  check(method: string, path: string, status: number, body: unknown): void {
    const plain = path.split('?')[0] ?? path;
    const route = this.routes.find((candidate) => candidate.method === method && candidate.pattern.test(plain));
    const pointer =
      route === undefined || status >= 400 ? '#/components/schemas/ErrorBody' : this.pointer(route, status);
    if (pointer === undefined) {
      if (body !== undefined)
        throw new Error(`${method} ${path} ${status}: has a body, but the document describes none`);
      return;
    }
    const validate = this.validator(pointer);
    if (!validate(body)) {
      const problems = validate.errors?.map(
        (error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
      );
      throw new Error(
        `${method} ${path} ${status} does not match the OpenAPI document:\n${problems?.join('\n')}\n${JSON.stringify(body)}`,
      );
    }
  }

  /** The validation errors of a value against the schema at this path of the document. */
  problemsAt(path: readonly (string | number)[], value: unknown): string[] {
    const validate = this.validator(`#/${path.map(asPointer).join('/')}`);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }

  private pointer({ method, path }: { method: string; path: string }, status: number): string | undefined {
    const operation = (this.document.paths[path] as Record<string, { responses: Record<string, Json> }>)[
      method.toLowerCase()
    ];
    const response = operation?.responses[String(status)];
    if (response === undefined)
      throw new Error(`${method} ${path} answered ${status}, which the OpenAPI document does not describe`);
    const content = response['content'] as Record<string, { schema: { $ref?: string } }> | undefined;
    const schema = content?.['application/json']?.schema;
    const schemaPath = [
      'paths',
      path,
      method.toLowerCase(),
      'responses',
      status,
      'content',
      'application/json',
      'schema',
    ];
    return schema && (schema.$ref ?? `#/${schemaPath.map(asPointer).join('/')}`);
  }

  private validator(pointer: string): ValidateFunction {
    const known = this.validators.get(pointer);
    if (known !== undefined) return known;
    const compiled = this.ajv.compile({ $ref: `openapi${pointer}` });
    this.validators.set(pointer, compiled);
    return compiled;
  }
}

const asPointer = (name: string | number): string =>
  encodeURIComponent(String(name).replaceAll('~', '~0').replaceAll('/', '~1'));

/**
 * The document as JSON Schema: `nullable` adds null to the type next to it, as in OpenAPI 3.0.3, and objects allow no
 * additional properties.
 */
function strict(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(strict);
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, example: _example, ...rest } = node as Json;
  const plain: Json = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, strict(value)]));
  if (plain['type'] === 'object' && plain['properties'] !== undefined && plain['additionalProperties'] === undefined) {
    plain['additionalProperties'] = false;
  }
  return nullable === true && plain['type'] !== undefined ? { ...plain, type: [plain['type'], 'null'] } : plain;
}
