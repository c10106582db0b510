import { Injectable } from '@nestjs/common';
import { groupedBy } from '../../kernel/grouped-by';
import { SEVERITIES, type Severity } from '../../kernel/severity';
import type { ActorType } from '../../platform/auth/caller';
import type { Scope } from '../../platform/auth/scope';
import { FindingAccountsRepository, type FindingChoice, type FindingOutline } from './data/finding-accounts.repository';
import type { FindingHistory } from './data/finding-history.entity';
import type { FindingRow } from './data/finding.entity';
import type { FindingStatus } from './domain/finding-status';
import { locationOfCheckDefinition } from './domain/check-definition';

export interface MoveAccount {
  readonly at: Date;
  /** Null for the first: it was recorded. */
  readonly from: FindingStatus | null;
  readonly to: FindingStatus;
  readonly actor: { readonly type: ActorType; readonly id: string };
  readonly comment: string | null;
}

/** All that can be told of a finding. */
export interface FindingAccount
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
  readonly moves: readonly MoveAccount[];
}

const mostMoves = 200;

/** For who tells of many findings at once, as a report does. */
@Injectable()
export class FindingAccountsService {
  constructor(private readonly accounts: FindingAccountsRepository) {}

  /** Those that are wanted, most urgent first; and how many the event has in all. */
  async choose(
    scope: Scope,
    eventId: number,
    choice: FindingChoice,
    most: number,
  ): Promise<{ chosen: FindingOutline[]; ofEvent: number }> {
    const chosen = await this.accounts.listOutlines(scope, eventId, choice, most);
    return { chosen, ofEvent: await this.accounts.countOfEvent(scope, eventId) };
  }

  /** In the order of the ids; what has gone meanwhile is left out. */
  async tell(scope: Scope, ids: readonly number[]): Promise<FindingAccount[]> {
    const findings = await this.accounts.listWhole(scope, ids);
    const byId = new Map(findings.map((finding) => [finding.id, finding]));
    const newest = await this.accounts.listMovesOfVisible([...byId.keys()], mostMoves);
    const moves = groupedBy(newest, ({ findingId }) => findingId);
    return ids.flatMap((id) => {
      const finding = byId.get(id);
      return finding === undefined ? [] : [accountOf(finding, moves.get(id) ?? [])];
    });
  }
}

/** Field by field, so that what is kept for the service alone does not come along. */
const accountOf = (finding: FindingRow, moves: readonly FindingHistory[]): FindingAccount => ({
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
  moves: moves.toReversed().map(({ created, previousStatus, status, actorType, actorId, comment }) => ({
    at: created,
    from: previousStatus,
    to: status,
    actor: { type: actorType, id: actorId },
    comment,
  })),
});
