import { Injectable } from '@nestjs/common';
import { AuditService, type ChangedRecord } from '../../modules/audit';
import type { Entry } from '../../modules/feed';
import { FindingActorsRepository, type NamedChange } from '../../modules/findings';
import type { Actor } from '../../platform/api/caller';
import { isWork } from './sentence-of';

/** Who did what the feed has: the histories of findings and the audit log know it. */
@Injectable()
export class ActivityActors {
  constructor(
    private readonly findings: FindingActorsRepository,
    private readonly audit: AuditService,
  ) {}

  /** By the positions of the entries. Without one, nobody is known, such as for what a scan has shown. */
  async of(organizationId: number, entries: readonly Entry[]): Promise<ReadonlyMap<number, Actor>> {
    const named = await this.findings.listOfVisible(organizationId, entries.flatMap(changeOfFinding));
    const audited = await this.audit.actorsOfVisible(organizationId, entries.flatMap(changeOfRecord));
    return new Map([...named, ...audited].map(([position, actor]) => [Number(position), actor]));
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

/** What work ends with is its own; only a person cancels it. */
function changeOfRecord({ type: named, position, recordId: id, at, data }: Entry): ChangedRecord[] {
  const [type = '', action = ''] = named.split('.');
  const isOwn = isWork(type) && action === 'changed' && data['status'] !== 'CANCELED';
  if (isOwn || !['created', 'changed', 'deleted'].includes(action)) return [];
  return type === 'finding' && action !== 'deleted' ? [] : [{ key: String(position), type, id, at, action }];
}
