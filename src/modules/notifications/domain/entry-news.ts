import { capitalized } from '../../../kernel/capitalized';
import type { Entry } from '../../feed';
import type { PortalLinks } from './links';
import { statusName } from './message';

/** An entry of the feed, or a message that waits. */
export type NotifiedEntry = Pick<Entry, 'type' | 'recordId' | 'data'>;

type Change = { readonly from: unknown; readonly to: unknown };

const RETEST_RESULTS: Readonly<Record<string, string>> = {
  fixed: 'Retest: fixed',
  still_vulnerable: 'Retest: still vulnerable',
  inconclusive: 'Retest: inconclusive',
  blocked: 'Retest: blocked',
};

const VERBS: Readonly<Record<string, string>> = {
  created: 'added',
  deleted: 'deleted',
  changed: 'changed',
  observed: 'observed',
  scope_changed: 'scope changed',
};

/** The names that people use for the records. */
const KIND_NAMES: Readonly<Record<string, string>> = { job: 'scan' };

/** What the changed fields of a finding are called. Those with null only say that they have changed. */
const FIELDS: Readonly<Record<string, ((value: unknown) => string) | null>> = {
  severity: textOf,
  status: (value) => statusName(Number(value)),
  due_date: textOf,
  assignee_id: null,
  labels: null,
  merged_into: null,
  accepted_until: null,
};

const FIELD_NAMES: Readonly<Record<string, string>> = {
  due_date: 'Due date',
  assignee_id: 'Assignee',
  merged_into: 'Merge',
  accepted_until: 'Acceptance',
};

/** Which record it is about. */
export const recordOf = ({ type, recordId }: NotifiedEntry): string => `${kindOf(type)} ${recordId}`;

const kindOf = (type: string): string => type.split('.')[0] ?? '';

/** The finding that an entry is about; undefined for other records. */
export function findingIdOf({ type, recordId, data }: NotifiedEntry): number | undefined {
  if (kindOf(type) === 'finding') return Number(recordId);
  return kindOf(type) === 'retest' ? Number(data['finding_id']) : undefined;
}

/** What has happened, in one line, such as "Status: open → resolved". */
export function newsOf({ type, data }: NotifiedEntry): string {
  if (type === 'finding.created') return 'New finding';
  if (type === 'finding.deleted') return 'Finding deleted';
  if (type === 'finding.commented') return 'New comment';
  if (type === 'finding.verified') return 'Tested';
  if (type === 'finding.changed') return changesOf(data['changed'] as Record<string, Change>);
  if (kindOf(type) === 'retest')
    return RETEST_RESULTS[String(data['result'])] ?? `Retest ${String(data['status']).replaceAll('_', ' ')}`;
  const kind = kindOf(type);
  const name = capitalized(KIND_NAMES[kind] ?? kind);
  const status = (data['changed'] as Record<string, Change> | undefined)?.['status']?.to;
  if (typeof status === 'string') return `${name} ${status.toLowerCase().replaceAll('_', ' ')}`;
  return `${name} ${VERBS[type.slice(kind.length + 1)] ?? 'changed'}`;
}

function changesOf(changed: Record<string, Change> = {}): string {
  const texts = Object.entries(changed).map(([field, { from, to }]) => {
    const text = FIELDS[field];
    const name = FIELD_NAMES[field] ?? capitalized(field.replaceAll('_', ' '));
    return text == null ? `${name} changed` : `${name}: ${text(from)} → ${text(to)}`;
  });
  return texts.length === 0 ? 'Finding changed' : texts.join(', ');
}

/** How lists name the record of an entry that is not about a finding. */
export function titleOf({ type, recordId, data }: NotifiedEntry): string {
  const name = data['name'] ?? data['value'];
  return typeof name === 'string' ? name : `${capitalized(KIND_NAMES[kindOf(type)] ?? kindOf(type))} ${recordId}`;
}

export function linkOf({ type, recordId, data }: NotifiedEntry, links: PortalLinks): string {
  const isDeleted = type.endsWith('.deleted');
  const kind = kindOf(type);
  if (kind === 'discovery') return `${links.home}/beacons/${String(data['beacon_id'])}`;
  if (kind === 'audit_head') return `${links.home}/audit`;
  if (kind === 'domain' || kind === 'event') return `${links.home}/${kind}s`;
  const folder = kind === 'job' ? 'scans' : `${kind}s`;
  return isDeleted ? `${links.home}/${folder}` : `${links.home}/${folder}/${recordId}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : 'none';
}
