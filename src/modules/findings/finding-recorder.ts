import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { SEVERITIES, severityNumber } from '../../kernel/severity';
import type { Actor } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import { OrganizationsService } from '../organizations';
import { EventFindingsRepository } from './data/event-findings.repository';
import type { Finding, LockedFinding } from './data/finding.entity';
import { type FindingIdentity, FindingsRepository, type NewFinding } from './data/findings.repository';
import { statusWhenSeen } from './domain/finding-status';
import { fingerprintOfTitle } from './domain/fingerprint';
import { priorityOf } from './domain/priority';
import { type SeverityStatement, requireScore, severityOfFinding } from './domain/severity-of-finding';
import { FindingStatusWriter } from './finding-status-writer';
import type { Markdown } from './rendering/markdown-renderer';

/** The severity is stated as a word, a score or a vector. */
export interface FindingDraft extends SeverityStatement {
  readonly organizationId: number;
  /** In which event it was seen; null where that was none. */
  readonly eventId: number | null;
  /** The value in its canonical form; the id where the organization has the asset. */
  readonly asset: { readonly id: number | null; readonly value: string; readonly tier: number | null };
  readonly title: string;
  readonly text?: Markdown | null;
  readonly requestedScore?: number | null;
  readonly cve?: string | null;
  /** In hex; by default that of the title. */
  readonly fingerprint?: string;
  readonly checkId?: string | null;
  /** How a retest runs the check again. */
  readonly checkDefinition?: unknown;
  /** What its history says, should it be back. */
  readonly reopenComment?: string;
}

export interface RecordingResult {
  readonly finding: Finding;
  readonly outcome: 'created' | 'seen_again' | 'reopened';
  /** It was known with another check of the same name: this one has taken its place. */
  readonly checkReplaced: boolean;
}

const CHECK_REPLACED = 'Its check was replaced by a later one of the same name.';

/** Decides whether what was found is new, and writes it down: of many who find the same at once, one has found it. */
@Injectable()
export class FindingRecorder {
  constructor(
    private readonly findings: FindingsRepository,
    private readonly eventFindings: EventFindingsRepository,
    private readonly statusWriter: FindingStatusWriter,
    private readonly organizations: OrganizationsService,
  ) {}

  async record(actor: Actor, draft: FindingDraft): Promise<RecordingResult> {
    const stated = statementOf(draft);
    await this.organizations.lockForShare(
      everything('the draft names the organization it was made for'),
      draft.organizationId,
    );
    const fingerprint = Buffer.from(draft.fingerprint ?? fingerprintOfTitle(draft.title), 'hex');
    const identity = { organizationId: draft.organizationId, fingerprint, assetValue: draft.asset.value };
    // Asked first, although the insert would say it too: that one uses up an id for each finding that is seen again.
    const known = await this.findings.lockByIdentity(identity);
    if (known !== undefined) return this.recordAgain(actor, known, draft);
    const created = await this.findings.add(newFinding(draft, stated, identity));
    // Somebody has recorded it in the moment between.
    if (created === undefined) return this.record(actor, draft);
    await Promise.all([this.statusWriter.recordCreated(actor, created), this.linkToEvent(created, draft)]);
    return { finding: created, outcome: 'created', checkReplaced: false };
  }

  /**
   * What was first written of it stays, but for a check that says now how it is to be tested. An asset that was deleted and
   * is there again gets its findings back.
   */
  private async recordAgain(actor: Actor, known: LockedFinding, draft: FindingDraft): Promise<RecordingResult> {
    const { asset, checkDefinition, reopenComment } = draft;
    const priority = priorityOf(SEVERITIES[known.severity], asset.tier);
    const isReattached = known.assetId === null && asset.id !== null;
    const seen = isReattached ? { ...known, assetId: asset.id, priority } : known;
    await Promise.all([this.findings.saveSeen(seen), this.linkToEvent(seen, draft)]);
    if (isReattached) await this.statusWriter.updateTotals(null, seen);
    const checkReplaced = checkDefinition != null && !isDeepStrictEqual(checkDefinition, known.checkDefinition);
    if (checkReplaced) await this.findings.saveCheckDefinition(known.id, checkDefinition);
    const status = statusWhenSeen(seen.status);
    if (status !== seen.status) {
      const comment = checkReplaced ? CHECK_REPLACED : (reopenComment ?? null);
      return {
        finding: await this.statusWriter.apply(actor, seen, status, { comment }),
        outcome: 'reopened',
        checkReplaced,
      };
    }
    if (checkReplaced) await this.statusWriter.addNote(actor, seen, CHECK_REPLACED);
    return { finding: seen, outcome: 'seen_again', checkReplaced };
  }

  private async linkToEvent({ id, organizationId }: Finding, { eventId }: FindingDraft): Promise<void> {
    if (eventId !== null) await this.eventFindings.saveSeen({ eventId, findingId: id, organizationId });
  }
}

const statementOf = ({ requestedScore = null, ...draft }: FindingDraft) => ({
  ...severityOfFinding(draft),
  requestedScore: requestedScore === null ? null : requireScore(requestedScore, 'requested_score'),
});

function newFinding(
  { eventId, asset, title, text = null, cve = null, checkId = null, checkDefinition = null }: FindingDraft,
  { severity, score, cvssVector, requestedScore }: ReturnType<typeof statementOf>,
  identity: FindingIdentity,
): NewFinding {
  return {
    ...identity,
    eventId,
    assetId: asset.id,
    title,
    md: text?.md ?? null,
    html: text?.html ?? null,
    severity: severityNumber(severity),
    priority: priorityOf(severity, asset.tier),
    requestedScore,
    score,
    cve,
    cvssVector,
    checkId,
    checkDefinition,
  };
}
