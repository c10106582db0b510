import type { AuditDescription, NamedResource } from '../audit/audit-entry';
import { system } from '../api/caller';
import { type ApiRequest, requestMetadata } from '../api/api-request';
import type { OperationMetadata } from '../api/operation-metadata';
import { NO_SUCH_ID, parseId } from './path-id';
import { NO_SUCH_SLUG, parseSlug } from './path-slug';
import { NO_SUCH_UUID, parseUuid } from './path-uuid';

/** The data of an audit entry that is known from the request. */
export function auditDescription(metadata: OperationMetadata, request: ApiRequest): AuditDescription {
  if (metadata.audit === undefined) throw new Error(`${metadata.id} declares no audit operation`);
  const { operation, resource, id } = metadata.audit;
  return {
    actor: request.caller?.actor ?? beaconOf(request) ?? system,
    operation,
    resourceType: resource,
    resourceId: id === undefined ? undefined : resourceId(request.params[id], id),
    parent: parentIn(request.params),
    metadata: requestMetadata(request),
    trace: request.trace,
  };
}

/** The path parameters of parent records, the nearest first. */
const PARENTS = [
  ['event_slug', 'event'],
  ['organization_id', 'organization'],
] as const;

function parentIn(params: ApiRequest['params']): NamedResource | undefined {
  for (const [name, type] of PARENTS) {
    const id = resourceId(params[name], name);
    if (id !== undefined) return { type, id };
  }
  return undefined;
}

const beaconOf = ({ beaconId }: ApiRequest) =>
  beaconId === undefined ? undefined : ({ type: 'beacon', id: String(beaconId) } as const);

const PLACEHOLDER_IDS: ReadonlySet<number | string> = new Set([NO_SUCH_ID, NO_SUCH_SLUG, NO_SUCH_UUID]);

/** Undefined if the text cannot be an id: the log must not contain arbitrary text of callers. */
function resourceId(value: unknown, name: string): string | undefined {
  if (typeof value !== 'string') return undefined;
  const id = name.endsWith('slug') ? parseSlug(value) : name === 'uuid' ? parseUuid(value) : parseId(value);
  return PLACEHOLDER_IDS.has(id) ? undefined : String(id);
}
