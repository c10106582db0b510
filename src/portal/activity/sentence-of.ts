import { beaconStatusVocabulary } from '../../modules/beacons';
import type { Entry } from '../../modules/feed';
import { findingStatusVocabulary, wordOfStatus } from '../../modules/findings';
import { KIND_NAMES } from '../../modules/observations';
import { labelOf, pluralize } from '../frame/words';
import {
  assetUrl,
  beaconUrl,
  domainsUrl,
  discoveriesUrl,
  eventUrl,
  findingUrl,
  importUrl,
  reportUrl,
  scanUrl,
} from '../urls';
import type { Activity } from './activity';

/** Around the name of the record, which leads to it. */
export interface Sentence {
  readonly before: string;
  readonly name: string;
  /** Null if the record was deleted. */
  readonly href: string | null;
  readonly after: string;
}

type Names = Omit<Activity, 'entries' | 'before'>;
type Data = Entry['data'];
type Change = { readonly from: unknown; readonly to: unknown };

interface Subject {
  readonly before?: string;
  readonly name: string;
  readonly href: string;
}

const textOf = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && value !== '' ? value : otherwise;

const assetOf = ({ asset_id: id }: Data, { assets }: Names): string =>
  (typeof id === 'number' ? assets.get(id) : undefined) ?? 'a deleted asset';

/** What the entries of each kind are about. */
const SUBJECTS: Readonly<Record<string, (entry: Entry, names: Names) => Subject>> = {
  finding: ({ recordId, data }, { organizationId }) => ({
    name: textOf(data['title'], `Finding ${recordId}`),
    href:
      findingUrl(organizationId, Number(recordId)) +
      (typeof data['comment_id'] === 'number' ? `#comment-${data['comment_id']}` : ''),
  }),
  retest: ({ data }, { organizationId }) => ({
    before: 'The retest of',
    name: textOf(data['title'], `finding ${String(data['finding_id'])}`),
    href: findingUrl(organizationId, Number(data['finding_id'])),
  }),
  job: ({ recordId, data }, names) => ({
    before: 'The scan of',
    name: assetOf(data, names),
    href: scanUrl(names.organizationId, recordId),
  }),
  import: ({ recordId }, { organizationId }) => ({
    name: `Import ${recordId}`,
    href: importUrl(organizationId, Number(recordId)),
  }),
  event: ({ data }, { organizationId }) => ({
    before: 'The event',
    name: textOf(data['name'], String(data['event_ids'])),
    href: eventUrl(organizationId, textOf(data['slug'], '')),
  }),
  asset: ({ recordId, data }, names) => ({
    name: textOf(data['value'], assetOf(data, names)),
    href: assetUrl(names.organizationId, Number(recordId)),
  }),
  domain: ({ data, recordId }, { organizationId }) => ({
    before: 'The domain',
    name: textOf(data['value'], recordId),
    href: domainsUrl(organizationId),
  }),
  beacon: ({ data, recordId }, { organizationId }) => ({
    before: 'The beacon',
    name: textOf(data['name'], recordId),
    href: beaconUrl(organizationId, Number(recordId)),
  }),
  discovery: ({ recordId, data }, { organizationId }) => ({
    before: 'The search for hosts',
    name: recordId.slice(0, 8),
    href: `${discoveriesUrl(organizationId, Number(data['beacon_id']))}/${recordId}`,
  }),
  report: ({ recordId }, { organizationId }) => ({
    name: `Report ${recordId}`,
    href: reportUrl(organizationId, Number(recordId)),
  }),
};

/** Of types that do not say it themselves. */
const CREATED: Readonly<Record<string, string>> = {
  finding: 'was recorded',
  retest: 'was started',
  job: 'was started',
  import: 'was uploaded',
  asset: 'was added',
  domain: 'was added',
  discovery: 'was started',
  report: 'was ordered',
};

const VERIFIED: Readonly<Record<string, string>> = {
  confirmed: 'was confirmed by a test',
  refuted: 'was refuted by a test',
  inconclusive: 'could not be decided by a test',
};

const FURTHER: Readonly<Record<string, (data: Data) => string>> = {
  'finding.created': ({ severity }) => `was recorded, with ${String(severity)} severity`,
  'finding.verified': ({ verification }) => VERIFIED[String(verification)] ?? 'is to be tested again',
  'finding.commented': () => 'has a new comment',
  'event.scope_changed': ({ added, removed }) =>
    typeof added === 'number'
      ? `has ${pluralize(added, 'more asset')} in its scope`
      : `has ${pluralize(Number(removed), 'fewer asset')} in its scope`,
  'asset.observed': ({ kind, port }) => {
    const names: Readonly<Record<string, readonly string[]>> = KIND_NAMES;
    const what = names[String(kind)]?.[0] ?? String(kind);
    return `shows a change: ${what}${typeof port === 'number' ? `, port ${port}` : ''}`;
  },
};

const numbered = (vocabulary: readonly { readonly number: number; readonly name: string }[], value: unknown): string =>
  vocabulary.find(({ number }) => number === value)?.name ?? String(value);

const INSTANT = /^\d{4}-\d{2}-\d{2}T/;
const DAY_LENGTH = 10;

/** The word for a value, or undefined if only the name of the field is shown. */
function wordOf(kind: string, field: string, value: unknown): string | undefined {
  if (value === null) return 'none';
  if (field === 'labels' && Array.isArray(value)) return value.join(', ') || 'none';
  if (field === 'status' && kind === 'finding') return wordOfStatus(numbered(findingStatusVocabulary, value));
  if (field === 'status' && kind === 'beacon') return labelOf(numbered(beaconStatusVocabulary, value)).toLowerCase();
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number' && !field.endsWith('_id')) return String(value);
  if (typeof value !== 'string') return undefined;
  if (field === 'name') return value;
  return INSTANT.test(value) ? value.slice(0, DAY_LENGTH) : value.replaceAll('_', ' ').toLowerCase();
}

const FIELD_NAMES: Readonly<Record<string, string>> = {
  kev: 'known exploitation',
  allowed_cidrs: 'allowed networks',
  observe: 'observation',
};

function changeText(kind: string, field: string, { from, to }: Change, people: Names['people']): string {
  if (field === 'merged_into') return to === null ? 'no longer merged' : 'merged into another finding';
  if (field === 'assignee_id')
    return to === null ? 'no assignee' : `assigned to ${people.get(Number(to)) ?? 'a former user'}`;
  const name = FIELD_NAMES[field] ?? field.replaceAll('_', ' ');
  const [before, after] = [wordOf(kind, field, from), wordOf(kind, field, to)];
  return before === undefined || after === undefined ? name : `${name} from ${before} to ${after}`;
}

/** Work has a status, and what it ended with. */
function progressText(kind: string, data: Data): string | undefined {
  const { status, result, gate } = data;
  if (kind === 'retest' && typeof result === 'string') return `ended: ${result.replaceAll('_', ' ').toLowerCase()}`;
  if (kind === 'job' && status === 'FINISHED' && typeof gate === 'string')
    return `finished, and its gate ${GATES[gate]}`;
  if (kind === 'report') return status === 'finished' ? 'is ready' : 'could not be generated';
  const word = String(status).toLowerCase();
  return STATUS_TEXTS[word] ?? `is ${word.replaceAll('_', ' ')}`;
}

const GATES: Readonly<Record<string, string>> = { passed: 'passes', failed: 'fails', incomplete: 'is incomplete' };

const STATUS_TEXTS: Readonly<Record<string, string>> = {
  finished: 'finished',
  error: 'failed',
  canceled: 'was canceled',
};

const WORK: ReadonlySet<string> = new Set(['retest', 'job', 'import', 'discovery', 'report']);

export const isWork = (kind: string): boolean => WORK.has(kind);

/** For the names of people. */
export function assigneesIn({ data }: Entry): number[] {
  const to = (data['changed'] as Record<string, Change> | undefined)?.['assignee_id']?.to;
  return typeof to === 'number' ? [to] : [];
}

function predicateOf(
  kind: string,
  action: string,
  { type, data, recordId }: Entry,
  { people, byRefusal }: Names,
): string {
  const further = FURTHER[type];
  if (further !== undefined) return further(data);
  if (action === 'created') return CREATED[kind] ?? 'was created';
  if (action === 'deleted') return 'was deleted';
  const progress = WORK.has(kind) ? progressText(kind, data) : undefined;
  if (progress !== undefined) return byRefusal?.has(recordId) === true ? `${progress} by refusal` : progress;
  const changes = Object.entries((data['changed'] ?? {}) as Record<string, Change>);
  return `has changed: ${changes.map(([field, change]) => changeText(kind, field, change, people)).join(', ')}`;
}

export function sentenceOf(entry: Entry, names: Names): Sentence {
  const [kind = '', action = ''] = entry.type.split('.');
  const subject = SUBJECTS[kind]?.(entry, names) ?? { name: entry.type, href: '' };
  return {
    before: subject.before ?? '',
    name: subject.name,
    href: action === 'deleted' || subject.href === '' ? null : subject.href,
    after: `${predicateOf(kind, action, entry, names)}.`,
  };
}
