import { SetMetadata, type Type } from '@nestjs/common';
import type { Role } from '../../kernel/role';
import type { ResourceType } from './resource-type';

/**
 * Which callers an operation admits where it asks for no role in an organization: any valid key; integrators; integrators
 * with a key that is not limited to one organization; the same with machine events in their subscription.
 */
export type CallerKind = 'any' | 'integrator' | 'whole_integrator' | 'machine_events';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Which error statuses the documentation lists; every other status has the same body and stands under `default`. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 422;

interface Success {
  readonly status: 200 | 201 | 202 | 204;
  readonly description: string;
  readonly body?: Type;
  readonly example?: unknown;
  /** Where to find what was made, from the answer's body. */
  readonly location?: (body: never, params: Readonly<Record<string, string>>) => string;
  readonly paged?: boolean;
  /** The content types of an answer that is a file. */
  readonly file?: readonly string[];
  /** The acknowledgement, with status 200, where what would have been made was there already. */
  readonly alreadyExists?: { readonly description: string; readonly example: unknown };
  /** Fields that are shown only once: the stored answer for retries has null in their place. */
  readonly secrets?: readonly string[];
}

interface AuditMetadata {
  /** `resource.verb`. */
  readonly operation: string;
  readonly resource: ResourceType;
  /** The path parameter that names the resource, where one does. */
  readonly id?: string;
}

/** All metadata of a route: guards, interceptor, OpenAPI document and tests read it. */
export interface OperationMetadata {
  /** Its number in the interface specification, or "addition" for what we add to it. */
  readonly number: number | 'addition';
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly method: Method;
  /** As documented, with its trailing slash where it has one; served with and without. */
  readonly path: string;
  /** The least role in the record's organization, or what else the caller must be. */
  readonly role: Role | CallerKind;
  /** What the key must be good for. `write` includes reading; `ci` is for pipelines, beside the method's own scope. */
  readonly scope: 'read' | 'write' | 'ci';
  /** Whose credentials: an API key unless a beacon reports for itself. */
  readonly credentials?: 'beacon';
  /** Waits a while for a database that is away, before it says so: also for what its credentials are worth. */
  readonly retriesWhileUnavailable?: true;
  readonly success: Success;
  readonly errors: readonly ErrorStatus[];
  readonly body?: { readonly example: unknown };
  /** Present on everything that changes something, and on reads of the audit log. */
  readonly audit?: AuditMetadata;
}

/** An operation of the API; a route open to everybody; or the catch-all, which asks for credentials first. */
export type RouteMetadata = OperationMetadata | 'open' | 'closed';

const metadataKey = Symbol('assay:operation');

export const setOperationMetadata = (metadata: RouteMetadata): MethodDecorator => SetMetadata(metadataKey, metadata);

/** The metadata of a handler; undefined where it declares none. */
export const operationMetadata = (handler: object): RouteMetadata | undefined =>
  Reflect.getMetadata(metadataKey, handler) as RouteMetadata | undefined;

/** Which methods may bring a body. */
const methodsWithBody: ReadonlySet<Method> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

export const mayHaveBody = ({ method }: OperationMetadata): boolean => methodsWithBody.has(method);

/** Which operations a caller may send again under the same `Idempotency-Key`. */
export const isSafelyRetried = ({ method, credentials }: OperationMetadata): boolean =>
  method === 'POST' && credentials === undefined;

/** `{asset_id}` of the documentation is `:asset_id` of the router, which also does not mind a slash at the end. */
export const routerPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1').replace(/(.)\/$/, '$1');
