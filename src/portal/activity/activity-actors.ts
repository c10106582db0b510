import { Injectable } from '@nestjs/common';
import { AuditService, type ChangedRecord } from '../../modules/audit';
import type { Entry } from '../../modules/feed';
import { FindingActorsRepository, type NamedChange } from '../../modules/findings';
import { type Actor, system } from '../../platform/api/caller';
import { isWork } from './sentence-of';

/** Who did what the feed has: the histories of findings and the audit log know it. */
@Injectable()
export class ActivityActors {
  constructor(
    private readonly findings: FindingActorsRepository,
    private readonly audit: AuditService,
  ) {}

  /** By the positions of the entries. What tests and observations show is the work of the service. */
  async of(organizationId: number, entries: readonly Entry[]): Promise<ReadonlyMap<number, Actor>> {
    const named = await this.findings.listOfVisible(organizationId, entries.flatMap(changeOfFinding));
    const audited = await this.audit.actorsOfVisible(organizationId, entries.flatMap(changeOfRecord));
    const own = entries.filter(isOwn).map(({ position }) => [position, system] as const);
    return new Map([...own, ...[...named, ...audited].map(([position, actor]) => [Number(position), actor] as const)]);
  }
}

const KINDS: ReadonlySet<string> = new Set(['created', 'changed', 'commented']);
const FIELDS = ['assignee_id', 'due_date', 'labels', 'severity', 'score'];

function changeOfFinding({ type, position, recordId, at, data }: Entry): NamedChange[] {
  const [of = '', kind = ''] = type.split('.');
  if (of !== 'finding' || !KINDS.has(kind)) return [];
  const changed = (data['changed'] ?? {}) as Readonly<Record<string, { from: unknown; to: unknown }>>;
  const { status, merged_into: merged } = changed;
  return [
    {
      key: String(position),
      findingId: Number(recordId),
      at,
      kind: kind as NamedChange['kind'],
      commentId: data['comment_id'] as number | undefined,
      status: status && [status.from, status.to],
      values: Object.fromEntries(
        FIELDS.flatMap((field) => (changed[field] === undefined ? [] : [[field, asInHistory(changed[field].to)]])),
      ),
      note: merged && (merged.to === null ? 'Separated from #%' : `%Merged into #${asInHistory(merged.to)}.`),
    },
  ];
}

const asInHistory = (value: unknown): string | null =>
  Array.isArray(value)
    ? value.join(', ') || null
    : typeof value === 'string' || typeof value === 'number'
      ? String(value)
      : null;

const OWN: ReadonlySet<string> = new Set(['finding.verified', 'asset.observed']);

/** What work ends with is its own; only a person cancels it. */
function isOwn({ type, data }: Entry): boolean {
  const [of = '', action = ''] = type.split('.');
  return OWN.has(type) || (isWork(of) && action === 'changed' && String(data['status']).toLowerCase() !== 'canceled');
}

function changeOfRecord(entry: Entry): ChangedRecord[] {
  const { position, recordId: id, at } = entry;
  const [type = '', named = ''] = entry.type.split('.');
  if (isOwn(entry) || !['created', 'changed', 'deleted'].includes(named)) return [];
  const action = isWork(type) && named === 'changed' ? 'canceled' : named;
  return type === 'finding' && action !== 'deleted' ? [] : [{ key: String(position), type, id, at, action }];
}
