import { Injectable } from '@nestjs/common';
import { OWN_SCANNERS } from '../../../kernel/own-scanners';
import type { Actor } from '../../../platform/api/caller';
import { everything } from '../../../platform/api/scope';
import { OrganizationsService } from '../../organizations';
import type { Finding, StatedFields } from '../data/finding.entity';
import type { SightingOutcome } from '../data/finding-sighting.entity';
import { FindingHistoryRepository } from '../changes/data/finding-history.repository';
import { FindingSlaRepository } from '../changes/data/finding-sla.repository';
import { type KnownFinding, ScannedFindingsRepository } from './data/scanned-findings.repository';
import { locationOfCheckDefinition } from '../domain/check-definition';
import { fingerprintOfTitle } from '../domain/fingerprint';
import { requireReferences } from '../domain/references';
import { resultWhenSeen } from '../domain/scan-result';
import { type SeverityStatement, requireScore, severityOfFinding } from '../domain/severity-of-finding';
import { defaultSla, type Sla } from '../domain/sla';
import { FindingWriter } from './finding-writer';
import { AlikeFindings } from './work/alike-findings';
import { ProvedChecks } from './proved-checks';
import { OUTCOMES } from './recorded-result';
import type { Markdown } from '../rendering/markdown-renderer';
import type { AssetOfFinding, RecordingTarget, SeenFinding } from './seen-finding';

/** A finding to record. Its severity is stated as a word, a score or a CVSS vector. */
export interface FindingDraft extends StatedFields, SeverityStatement {
  readonly organizationId: number;
  /** The event in which it was seen, if any. */
  readonly eventId: number | null;
  /** The value in canonical form, its beacon, and the id if the organization has this asset. */
  readonly asset: AssetOfFinding;
  readonly text?: Markdown | null;
  readonly requestedScore?: number | null;
  /** The URL at which it was seen; by default the location of its check. */
  readonly location?: string | null;
  /** The affected input. */
  readonly parameter?: string | null;
  /** When the deciding response arrived; by default now. */
  readonly seenAt?: Date;
  /** In hex. By default the fingerprint of the title. */
  readonly fingerprint?: string;
  readonly checkId?: string | null;
  /** The check that a retest runs. */
  readonly checkDefinition?: unknown;
  /** The job that saw it. */
  readonly jobUuid?: string | null;
  /** Whether an admin recorded it. Only admins may replace a check that has shown the weakness. */
  readonly isByAdmin?: boolean;
  /** Whether an admin allowed the check to change state on the target. Absent: unchanged, or not allowed. */
  readonly allowUnsafe?: boolean;
  /** The comment in its history if it is reopened. */
  readonly reopenComment?: string;
}

export interface RecordingResult {
  /** The finding that counts: the main finding, if the recorded one is merged into another. */
  readonly finding: Finding;
  /** The finding that has the identity itself. */
  readonly ownId: number;
  readonly outcome: SightingOutcome;
  /** Whether this check replaced an earlier one with the same id. */
  readonly checkReplaced: boolean;
  /** Whether the finding keeps its previous check, because that one has shown the weakness. */
  readonly checkKept: boolean;
  /** Whether something newer is known. */
  readonly isOutdated: boolean;
  /** Whether it was seen although the finding stays resolved, and no test has decided since. */
  readonly contradicts: boolean;
}

/** Records a finding, or that it was seen again. Concurrent recordings of the same finding create it only once. */
@Injectable()
export class FindingRecorder {
  constructor(
    private readonly findings: ScannedFindingsRepository,
    private readonly history: FindingHistoryRepository,
    private readonly writer: FindingWriter,
    private readonly slas: FindingSlaRepository,
    private readonly organizations: OrganizationsService,
    private readonly alike: AlikeFindings,
    private readonly proved: ProvedChecks,
  ) {}

  /** The stored fields of an existing finding stay as they are, except that a new check replaces the old one. */
  async record(actor: Actor, draft: FindingDraft): Promise<RecordingResult> {
    const seen = seenFindingOf(draft);
    const { organizationId, eventId, jobUuid = null, isByAdmin, reopenComment = null } = draft;
    // A change of the SLA waits for this lock, and then also moves the due date of this finding.
    const [, sla = defaultSla] = await Promise.all([
      this.organizations.lockForShare(everything('the draft states its organization'), organizationId),
      this.slas.findOfVisible(organizationId),
    ]);
    const target = { organizationId, eventId, importId: null, jobUuid, isByAdmin, reopenComment };
    const recorded = await this.recordSeen(actor, target, seen, sla);
    if (jobUuid !== null && recorded.outcome === 'created') await this.alike.request(organizationId, recorded.ownId);
    return recorded;
  }

  /** Call it after a test of its check has confirmed a finding. */
  raiseConfirmed(id: number): Promise<void> {
    return this.proved.raiseConfirmed(id);
  }

  private async recordSeen(
    actor: Actor,
    target: RecordingTarget,
    seen: SeenFinding,
    sla: Sla,
  ): Promise<RecordingResult> {
    const { organizationId } = target;
    const { value: assetValue, beaconId } = seen.asset;
    const fingerprint = Buffer.from(seen.fingerprint, 'hex');
    // The insert alone would be enough, but it would use up an id each time a finding is seen again.
    const identity = { organizationId, fingerprint, assetValue, beaconId };
    const found = await this.findings.lockByIdentity(identity);
    const isRaised = found !== undefined && target.jobUuid !== null && (await this.raisedBy(seen, found));
    const known = isRaised ? await this.findings.lockByIdentity(identity) : found;
    const knowledge = known && (await this.history.listKnowledge([known])).get(known.id);
    const planned = { seen, known, ...resultWhenSeen(knowledge, { at: seen.seenAt }) };
    const [written] = (await this.writer.write(actor, target, [planned], sla)) ?? [];
    // A concurrent request recorded it after the lookup.
    if (written === undefined) return this.recordSeen(actor, target, seen, sla);
    const { finding, ownId, checkReplaced, checkKept } = written;
    const { md = null, html = null } = known ?? seen.text() ?? {};
    const { result, outdatedBy, contradicts } = planned;
    return {
      finding: { ...finding, md, html },
      ownId,
      outcome: OUTCOMES[result],
      checkReplaced,
      checkKept,
      isOutdated: outdatedBy !== null,
      contradicts,
    };
  }

  /** Raises the finding to the severity that a check of this service has shown. Returns whether it was lower. */
  private async raisedBy(seen: SeenFinding, { organizationId, ownId }: KnownFinding): Promise<boolean> {
    if (seen.check === null || !(await this.proved.isOurs(seen.check))) return false;
    return this.proved.raise(organizationId, ownId, seen);
  }
}

/** Copies all stated fields; those that are columns are stored. */
function seenFindingOf(draft: FindingDraft): SeenFinding {
  const { text = null, checkId = null, checkDefinition = null, allowUnsafe, requestedScore = null, ...stated } = draft;
  return {
    ...stated,
    ...severityOfFinding(draft),
    requestedScore: requestedScore === null ? null : requireScore(requestedScore, 'requested_score'),
    references: requireReferences(draft.references ?? []),
    fingerprint: draft.fingerprint ?? fingerprintOfTitle(draft.title),
    scanner: draft.jobUuid == null ? OWN_SCANNERS.person : OWN_SCANNERS.job,
    ruleId: checkId,
    location: draft.location ?? locationOfCheckDefinition(checkDefinition),
    seenAt: draft.seenAt ?? null,
    check: checkId === null && checkDefinition === null ? null : { checkId, checkDefinition, allowUnsafe },
    text: () => text,
  };
}
