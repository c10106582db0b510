import { SetMetadata, type Type } from '@nestjs/common';
import type { Role } from '../../kernel/role';
import type { ResourceType } from '../audit/resource-type';

/**
 * What a caller can have to be beside a role in an organization: anybody with a valid key; an integrator; an integrator
 * with a key that is not limited to one organization, for what concerns all of them; the same with machine events.
 */
export type Standing = 'any' | 'integrator' | 'whole_integrator' | 'machine_events';

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
  readonly again?: { readonly description: string; readonly example: unknown };
  /** Fields that are shown this once, and not again to a retry. */
  readonly secrets?: readonly string[];
}

interface Audited {
  /** `resource.verb`. */
  readonly operation: string;
  readonly resource: ResourceType;
  /** The path parameter that names the resource, where one does. */
  readonly id?: string;
}

/** The whole story of a route, in one place. */
export interface OperationStory {
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
  readonly role: Role | Standing;
  /** What the key must be good for. `write` includes reading; `ci` is for pipelines, beside the method's own scope. */
  readonly scope: 'read' | 'write' | 'ci';
  /** Whose credentials: an API key unless a beacon reports for itself. */
  readonly credentials?: 'beacon';
  /** Waits a while for a database that is away, before it says so: also for what its credentials are worth. */
  readonly patient?: true;
  readonly success: Success;
  readonly errors: readonly ErrorStatus[];
  readonly body?: { readonly example: unknown };
  /** Present on everything that changes something, and on reads of the audit log. */
  readonly audit?: Audited;
}

/** What a handler can say of itself: its story; open to everybody; or closed, as what is no route still is. */
export type Story = OperationStory | 'open' | 'closed';

const storyKey = Symbol('assay:operation');

export const tellStory = (story: Story): MethodDecorator => SetMetadata(storyKey, story);

/** What a handler says of itself; undefined if it says nothing. */
export const storyOf = (handler: object): Story | undefined =>
  Reflect.getMetadata(storyKey, handler) as Story | undefined;

/** Which methods may bring a body. */
const withBody: ReadonlySet<Method> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

export const mayHaveBody = ({ method }: OperationStory): boolean => withBody.has(method);

/** Which operations a caller may send again under the same `Idempotency-Key`. */
export const isSafelyRetried = ({ method, credentials }: OperationStory): boolean =>
  method === 'POST' && credentials === undefined;

/** `{asset_id}` of the documentation is `:asset_id` of the router, which also does not mind a slash at the end. */
export const routerPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1').replace(/(.)\/$/, '$1');
