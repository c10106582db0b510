import { SetMetadata, type Type } from '@nestjs/common';
import type { Role } from '../../kernel/role';
import type { LimitClass } from './limit-class';
import type { ResourceType } from './resource-type';

/**
 * The callers of an operation that requires no role in an organization: any valid key; integrators; integrators whose key is
 * not limited to one organization; the same with machine events in their subscription.
 */
export type CallerKind = 'any' | 'integrator' | 'whole_integrator' | 'machine_events';

/** How a beacon authenticates: with its token, or with a token that an admin made for one use. */
export type BeaconCredentials = 'beacon' | 'registration' | 'deletion';

/** For the documentation. */
export const CREDENTIAL_SENTENCES = {
  beacon: 'With the credentials of a beacon: its id and its token.',
  registration: 'With the id of a beacon as username, and its registration token as password.',
  deletion: 'With the id of a beacon as username, and its deletion token as password.',
} as const satisfies Record<BeaconCredentials, string>;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The error statuses that the documentation lists. All others have the same body and are documented as `default`. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422;

interface Success {
  readonly status: 101 | 200 | 201 | 202 | 204;
  readonly description: string;
  readonly body?: Type;
  readonly example?: unknown;
  /** The path of the new record, from the response body. */
  readonly location?: (body: never, params: Readonly<Record<string, string>>) => string;
  readonly paged?: boolean;
  /** The content types, if the response is a file. */
  readonly file?: readonly string[];
  /** The content types of other formats that a parameter selects. They are objects of JSON, sent as a file. */
  readonly otherFormats?: readonly string[];
  /** The response with status 200, if the record already exists. */
  readonly alreadyExists?: { readonly description: string; readonly example: unknown };
  /** Fields that are shown only once: they are null in the response that is stored for retries. */
  readonly secrets?: readonly string[];
}

/** The limits of a file that is the body of a request. */
export interface FileLimits {
  readonly mediaTypes: readonly string[];
  readonly maxBytes: number;
}

/** The limits of a file that is read while it arrives. */
export interface UploadLimits {
  readonly mediaTypes: readonly string[];
  /** The most that an operator can allow. */
  readonly maxBytes: number;
  readonly example: string;
}

interface AuditMetadata {
  /** `resource.verb`. */
  readonly operation: string;
  readonly resource: ResourceType;
  /** The path parameter with the id of the resource, if there is one. */
  readonly id?: string;
}

/** All metadata of a route: guards, interceptor, OpenAPI document and tests read it. */
export interface OperationMetadata {
  /** The number in the interface specification, or "addition" if it is not part of it. */
  readonly number: number | 'addition';
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly method: Method;
  /** As documented, with its trailing slash where it has one; served with and without. */
  readonly path: string;
  /** The minimum role in the organization of the record, or the kind of caller. */
  readonly role: Role | CallerKind;
  /** The scope that the key must have. `write` includes `read`; `ci` is allowed in addition to the scope of the method. */
  readonly scope: 'read' | 'write' | 'ci';
  /** Set if a beacon authenticates instead of an API key. */
  readonly credentials?: BeaconCredentials;
  /** What its requests count as. By default a GET is a read, and everything else a write. `none`: it is not limited. */
  readonly limit?: LimitClass | 'none';
  /** The name of a budget of its own, as large as that of its class: other requests do not use it up. */
  readonly budget?: 'results';
  /** How many requests one call counts as, because it takes as long as they do; 1 by default. */
  readonly cost?: number;
  /** Retries for a while if the database is unavailable, also when it verifies the credentials. */
  readonly retriesWhileUnavailable?: true;
  readonly success: Success;
  readonly errors: readonly ErrorStatus[];
  /** Errors that its default response describes, each with a likely sentence. */
  readonly otherErrors?: Readonly<Partial<Record<ErrorStatus, string>>>;
  readonly body?: { readonly example: unknown };
  /** Set if the body is a file and not JSON. */
  readonly file?: FileLimits;
  /** Set if the body is a file that is read while it arrives. */
  readonly upload?: UploadLimits;
  /** The class of its query parameters. All other parameters are refused. */
  readonly query?: Type;
  /** Set for reads of one record that can be changed: the response has an ETag, and If-None-Match may return 304. */
  readonly entityTag?: true;
  /** Set for changes of one record: the id of the operation that reads it, whose ETag is compared with If-Match. */
  readonly ifMatch?: string;
  /** Set for all changes and for reads of the audit log. */
  readonly audit?: AuditMetadata;
}

/** An operation of the API, a public route, or the catch-all route, which requires credentials. */
export type RouteMetadata = OperationMetadata | 'open' | 'closed';

const METADATA_KEY = Symbol('assay:operation');

export const setOperationMetadata = (metadata: RouteMetadata): MethodDecorator => SetMetadata(METADATA_KEY, metadata);

export const operationMetadata = (handler: object): RouteMetadata | undefined =>
  Reflect.getMetadata(METADATA_KEY, handler) as RouteMetadata | undefined;

const METHODS_WITH_BODY: ReadonlySet<Method> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

export const mayHaveBody = ({ method }: OperationMetadata): boolean => METHODS_WITH_BODY.has(method);

/** Whether the operation accepts an `Idempotency-Key`. */
export const isSafelyRetried = ({ method, credentials }: OperationMetadata): boolean =>
  method === 'POST' && credentials === undefined;

/** Converts `{asset_id}` to `:asset_id`. The router ignores a trailing slash. */
export const routerPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1').replace(/(.)\/$/, '$1');
