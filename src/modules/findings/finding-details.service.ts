import { Injectable } from '@nestjs/common';
import { groupBy } from '../../kernel/group-by';
import { SEVERITIES, type Severity } from '../../kernel/severity';
import type { ActorType } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import {
  FindingDetailsRepository,
  type FindingSelection,
  type FindingOutline,
} from './data/finding-details.repository';
import type { FindingHistory } from './data/finding-history.entity';
import type { FindingRow } from './data/finding.entity';
import type { FindingStatus } from './domain/finding-status';
import { locationOfCheckDefinition } from './domain/check-definition';

export interface StatusTransition {
  readonly at: Date;
  /** Null for the first: it was recorded. */
  readonly from: FindingStatus | null;
  readonly to: FindingStatus;
  readonly actor: { readonly type: ActorType; readonly id: string };
  readonly comment: string | null;
}

/** All that can be told of a finding. */
export interface FindingDetails
  extends
    Pick<FindingRow, 'id' | 'title' | 'md' | 'html' | 'assetId' | 'assetValue' | 'status' | 'priority'>,
    Pick<FindingRow, 'cve' | 'cvssVector' | 'checkId' | 'timesSeen' | 'lastSeen' | 'created'> {
  readonly severity: Severity;
  readonly score: number | null;
  /** In hex. */
  readonly fingerprint: string;
  /** Where its check looks. */
  readonly location: string | null;
  /** Oldest first; of very many the newest. */
  readonly transitions: readonly StatusTransition[];
}

const maxTransitions = 200;

/** For who tells of many findings at once, as a report does. */
@Injectable()
export class FindingDetailsService {
  constructor(private readonly repository: FindingDetailsRepository) {}

  /** Those that are wanted, most urgent first; and how many the event has in all. */
  async listMatching(
    scope: Scope,
    eventId: number,
    choice: FindingSelection,
    most: number,
  ): Promise<{ chosen: FindingOutline[]; ofEvent: number }> {
    const chosen = await this.repository.listOutlines(scope, eventId, choice, most);
    return { chosen, ofEvent: await this.repository.countOfEvent(scope, eventId) };
  }

  /** In the order of the ids; what has gone meanwhile is left out. */
  async listByIds(scope: Scope, ids: readonly number[]): Promise<FindingDetails[]> {
    const findings = await this.repository.listByIds(scope, ids);
    const byId = new Map(findings.map((finding) => [finding.id, finding]));
    const newest = await this.repository.listTransitionsOfVisible([...byId.keys()], maxTransitions);
    const history = groupBy(newest, ({ findingId }) => findingId);
    return ids.flatMap((id) => {
      const finding = byId.get(id);
      return finding === undefined ? [] : [detailsOf(finding, history.get(id) ?? [])];
    });
  }
}

/** Field by field, so that what is kept for the service alone does not come along. */
const detailsOf = (finding: FindingRow, history: readonly FindingHistory[]): FindingDetails => ({
  id: finding.id,
  title: finding.title,
  md: finding.md,
  html: finding.html,
  assetId: finding.assetId,
  assetValue: finding.assetValue,
  status: finding.status,
  priority: finding.priority,
  severity: SEVERITIES[finding.severity],
  score: finding.score === null ? null : Number(finding.score),
  cve: finding.cve,
  cvssVector: finding.cvssVector,
  checkId: finding.checkId,
  location: locationOfCheckDefinition(finding.checkDefinition),
  fingerprint: finding.fingerprint.toString('hex'),
  timesSeen: finding.timesSeen,
  lastSeen: finding.lastSeen,
  created: finding.created,
  transitions: history.toReversed().map(({ created, previousStatus, status, actorType, actorId, comment }) => ({
    at: created,
    from: previousStatus,
    to: status,
    actor: { type: actorType, id: actorId },
    comment,
  })),
});
