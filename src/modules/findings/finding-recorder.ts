import { dayOf } from '../../kernel/day';
import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { SEVERITIES, severityNumber } from '../../kernel/severity';
import type { Actor } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import { OrganizationsService } from '../organizations';
import { EventFindingsRepository } from './data/event-findings.repository';
import type { Finding, FindingRow, LockedFinding, StatedFields } from './data/finding.entity';
import { FindingSightingsRepository, type NewSighting } from './data/finding-sightings.repository';
import { FindingSlaRepository } from './data/finding-sla.repository';
import {
  type FindingIdentity,
  type FindingOfIdentity,
  FindingsRepository,
  type NewFinding,
} from './data/findings.repository';
import { statusWhenSeen } from './domain/finding-status';
import { locationOfCheckDefinition } from './domain/check-definition';
import { sourceOf } from './domain/scan-identity';
import { fingerprintOfTitle } from './domain/fingerprint';
import { verificationWhenRecorded } from './domain/verification';
import { priorityOf } from './domain/priority';
import { requireReferences } from './domain/references';
import { defaultSla, dueDateOf, type Sla } from './domain/sla';
import { type SeverityStatement, requireScore, severityOfFinding } from './domain/severity-of-finding';
import { FindingStatusWriter } from './finding-status-writer';
import { FindingVulnerabilities } from './finding-vulnerabilities';
import type { Markdown } from './rendering/markdown-renderer';

/** A finding to record. Its severity is stated as a word, a score or a CVSS vector. */
export interface FindingDraft extends StatedFields, SeverityStatement {
  readonly organizationId: number;
  /** The event in which it was seen, if any. */
  readonly eventId: number | null;
  /** The value in canonical form, the beacon that it is behind, and the id if the organization has this asset. */
  readonly asset: {
    readonly id: number | null;
    readonly value: string;
    readonly beaconId: number | null;
    readonly tier: number | null;
  };
  readonly text?: Markdown | null;
  readonly requestedScore?: number | null;
  /** In hex. By default the fingerprint of the title. */
  readonly fingerprint?: string;
  readonly checkId?: string | null;
  /** The check that a retest runs. */
  readonly checkDefinition?: unknown;
  /** The job that saw it. */
  readonly jobUuid?: string | null;
  /** Whether an admin allowed the check to change state on the target. Absent: as before, or not. */
  readonly allowUnsafe?: boolean;
  /** The comment in its history if it is reopened. */
  readonly reopenComment?: string;
}

export interface RecordingResult {
  /** The finding that counts: if the recorded one is merged into another, the other one. */
  readonly finding: Finding;
  /** The finding that has the identity. */
  readonly ownId: number;
  readonly outcome: 'created' | 'seen_again' | 'reopened';
  /** Whether this check replaced an earlier one with the same id. */
  readonly checkReplaced: boolean;
}

const CHECK_REPLACED = 'The check was replaced by a later one with the same id.';

/** Records a finding, or that it was seen again. Concurrent recordings of the same finding create it only once. */
@Injectable()
export class FindingRecorder {
  constructor(
    private readonly findings: FindingsRepository,
    private readonly eventFindings: EventFindingsRepository,
    private readonly statusWriter: FindingStatusWriter,
    private readonly slas: FindingSlaRepository,
    private readonly vulnerabilities: FindingVulnerabilities,
    private readonly sightings: FindingSightingsRepository,
    private readonly organizations: OrganizationsService,
    private readonly clock: Clock,
  ) {}

  async record(actor: Actor, draft: FindingDraft): Promise<RecordingResult> {
    const result = await this.recordFinding(actor, draft);
    await this.sightings.addRecorded(sightingOf(actor, draft, result));
    return result;
  }

  private async recordFinding(actor: Actor, draft: FindingDraft): Promise<RecordingResult> {
    const rating = ratingOf(draft);
    const { organizationId } = draft;
    // A change of the SLA waits for the lock, and then moves the due date of this finding as well.
    const [, sla = defaultSla] = await Promise.all([
      this.organizations.lockForShare(everything('the draft states its organization'), organizationId),
      this.slas.findOfVisible(organizationId),
    ]);
    const fingerprint = Buffer.from(draft.fingerprint ?? fingerprintOfTitle(draft.title), 'hex');
    const { value: assetValue, beaconId } = draft.asset;
    const identity = { organizationId, fingerprint, assetValue, beaconId };
    // The insert alone would do, but it uses up an id for each finding that is seen again.
    const known = await this.findings.lockByIdentity(identity);
    if (known !== undefined) return this.recordAgain(actor, known, isOwn(known) ? draft : ofPart(draft, known), sla);
    const dueDate = dueDateOf(sla, rating.severity, dayOf(this.clock.now()));
    const copy = (await this.vulnerabilities.copiesOf([draft]))(draft);
    const created = await this.findings.add({
      ...newFinding(draft, rating, identity, copy),
      ...verificationOf(draft, this.clock.now()),
      dueDate,
    });
    // A concurrent request recorded it after the lookup.
    if (created === undefined) return this.recordFinding(actor, draft);
    if (draft.allowUnsafe === true) await this.findings.saveCheckDefinition(created.id, draft.checkDefinition, true);
    await Promise.all([this.statusWriter.recordCreated(actor, created), this.linkToEvent(created, draft)]);
    return { finding: created, ownId: created.id, outcome: 'created', checkReplaced: false };
  }

  /**
   * The stored fields stay as they are, except that a new check replaces the old one. If the asset was deleted and added
   * again, the finding is attached to it. The SLA of a reopened finding counts from today.
   */
  private async recordAgain(
    actor: Actor,
    { ownId, ...known }: FindingOfIdentity,
    draft: FindingDraft,
    sla: Sla,
  ): Promise<RecordingResult> {
    const { asset, checkDefinition, allowUnsafe, reopenComment } = draft;
    const priority = priorityOf({ ...known, severity: SEVERITIES[known.severity], tier: asset.tier });
    const isReattached = known.assetId === null && asset.id !== null;
    const checkReplaced = checkDefinition != null && !isDeepStrictEqual(checkDefinition, known.checkDefinition);
    // What was allowed was another check.
    const allowed = allowUnsafe ?? (known.allowUnsafe && !checkReplaced);
    const current = { ...known, allowUnsafe: allowed };
    const seen = isReattached ? { ...current, assetId: asset.id, assetTier: asset.tier, priority } : current;
    await Promise.all([this.findings.saveSeen(seen), this.linkToEvent(seen, draft)]);
    if (isReattached) {
      await this.eventFindings.savePriority(seen);
      await this.statusWriter.updateTotals(null, seen);
    }
    if (checkReplaced || (checkDefinition != null && allowed !== known.allowUnsafe))
      await this.findings.saveCheckDefinition(known.id, checkDefinition, allowed);
    const verification = verificationWhenRecorded(factsOf(draft), seen.assetId);
    if (verification !== null && (checkReplaced || verification.result === 'confirmed'))
      await this.findings.resetVerification(known.id, verification, { checkReplaced });
    const status = statusWhenSeen(seen.status);
    if (status !== seen.status) {
      const comment = checkReplaced ? CHECK_REPLACED : (reopenComment ?? null);
      const reopened = await this.restartDeadline(seen, sla);
      return {
        finding: await this.statusWriter.apply(actor, reopened, status, { comment }),
        ownId,
        outcome: 'reopened',
        checkReplaced,
      };
    }
    if (checkReplaced) await this.statusWriter.addNote(actor, seen, CHECK_REPLACED);
    return { finding: seen, ownId, outcome: 'seen_again', checkReplaced };
  }

  private async restartDeadline(finding: LockedFinding, sla: Sla): Promise<LockedFinding> {
    const deadlineStart = dayOf(this.clock.now());
    const dueDate = finding.dueByHand ? finding.dueDate : dueDateOf(sla, SEVERITIES[finding.severity], deadlineStart);
    const restarted = { ...finding, deadlineStart, dueDate };
    await this.findings.saveWorkFields(finding.id, restarted);
    return restarted;
  }

  private async linkToEvent({ id: findingId, ...finding }: Finding, { eventId }: FindingDraft): Promise<void> {
    const { organizationId, severity, priority } = finding;
    if (eventId !== null) await this.eventFindings.saveSeen({ eventId, findingId, organizationId, severity, priority });
  }
}

const isOwn = ({ id, ownId }: FindingOfIdentity): boolean => id === ownId;

/** What was seen of a merged finding says nothing about the asset and the check of its main finding. */
const ofPart = (draft: FindingDraft, { assetId, allowUnsafe }: LockedFinding): FindingDraft => ({
  ...draft,
  asset: { ...draft.asset, id: assetId },
  checkId: null,
  checkDefinition: null,
  jobUuid: null,
  allowUnsafe,
});

/** The scanner of our own tests, and of people. */
const SCANNERS = { job: 'assay', person: 'manual' } as const;

const sightingOf = (
  actor: Actor,
  { organizationId, eventId, jobUuid = null, checkId = null, checkDefinition, title }: FindingDraft,
  { finding, ownId, outcome }: RecordingResult,
): Omit<NewSighting, 'seenAt'> => {
  const scanner = jobUuid === null ? SCANNERS.person : SCANNERS.job;
  return {
    organizationId,
    findingId: ownId,
    eventId,
    importId: null,
    jobUuid,
    scanner,
    ruleId: checkId,
    source: sourceOf(scanner, checkId),
    outcome,
    historyId: null,
    before: null,
    line: null,
    title,
    severity: finding.severity,
    location: locationOfCheckDefinition(checkDefinition),
    place: null,
    parameter: null,
    evidence: null,
    replay: null,
    template: null,
    actorType: actor.type,
    actorId: actor.id,
  };
};

const ratingOf = ({ requestedScore = null, ...draft }: FindingDraft) => ({
  ...severityOfFinding(draft),
  requestedScore: requestedScore === null ? null : requireScore(requestedScore, 'requested_score'),
});

const factsOf = ({ checkDefinition, jobUuid }: FindingDraft) => ({
  hasCheck: checkDefinition != null,
  isFromJob: jobUuid != null,
});

function verificationOf(draft: FindingDraft, now: Date) {
  const verification = verificationWhenRecorded(factsOf(draft), draft.asset.id);
  return {
    verification: verification?.result ?? ('untested' as const),
    verificationReason: verification?.reason ?? null,
    verifiedAt: verification?.result === 'confirmed' ? now : null,
  };
}

/** Takes over all stated fields; the repository stores those that are columns. */
const newFinding = (
  { asset, text = null, checkId = null, checkDefinition = null, ...stated }: FindingDraft,
  { severity, ...scores }: ReturnType<typeof ratingOf>,
  identity: FindingIdentity,
  copy: Pick<FindingRow, 'epss' | 'kev'>,
): Omit<NewFinding, 'dueDate' | keyof ReturnType<typeof verificationOf>> => ({
  ...stated,
  ...scores,
  ...identity,
  ...copy,
  references: requireReferences(stated.references ?? []),
  otherCves: [],
  assetTier: asset.tier,
  assetId: asset.id,
  md: text?.md ?? null,
  html: text?.html ?? null,
  severity: severityNumber(severity),
  priority: priorityOf({ severity, tier: asset.tier, ...copy }),
  checkId,
  checkDefinition,
});
