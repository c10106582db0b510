import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { dayOf } from '../../../kernel/day';
import { groupBy } from '../../../kernel/group-by';
import { inTurns } from '../../../kernel/in-turns';
import { severityNumber } from '../../../kernel/severity';
import type { Actor } from '../../../platform/api/caller';
import { ChangesOfTotals } from '../changes/changes-of-totals';
import { CHECK_REPLACED, CheckReplacement } from './check-replacement';
import { AssetTotalsRepository } from '../changes/data/asset-totals.repository';
import { EventFindingsRepository } from '../changes/data/event-findings.repository';
import type { ScannedFinding, SeverityNumber } from '../data/finding.entity';
import { FindingHistoryRepository, TERM_RENEWED } from '../changes/data/finding-history.repository';
import type { BeforeReopening } from '../data/finding-sighting.entity';
import { FindingSightingsRepository } from './data/finding-sightings.repository';
import { type NewFinding, ScannedFindingsRepository } from './data/scanned-findings.repository';
import { FINDING_STATUS, isOpen } from '../domain/finding-status';
import { priorityFactsOf, priorityOf } from '../domain/priority';
import { dueDateOf, renewedTerm, type Sla } from '../domain/sla';
import { verificationWhenRecorded } from '../domain/verification';
import { FindingVulnerabilities } from '../changes/finding-vulnerabilities';
import { isSupported, latestOf, type PlannedResult, sightingOf, type WrittenResult } from './recorded-result';
import { restated } from './restated-finding';
import type { AssetOfFinding, RecordingTarget, SeenFinding } from './seen-finding';

/** The changes of one finding. */
interface Change {
  readonly finding: ScannedFinding;
  readonly checkReplaced: boolean;
  readonly checkKept: boolean;
  readonly reopening: { readonly historyId: string; readonly before: BeforeReopening } | null;
}

interface Batch {
  readonly actor: Actor;
  readonly target: RecordingTarget;
  readonly sla: Sla;
  readonly totals: ChangesOfTotals;
}

/**
 * Writes what was seen, with a few statements for all results: new findings, findings that are seen again or reopened, their
 * history, sightings and events, and the totals of their assets. The caller has locked the organization and the findings.
 */
@Injectable()
export class FindingWriter {
  constructor(
    private readonly findings: ScannedFindingsRepository,
    private readonly checks: CheckReplacement,
    private readonly sightings: FindingSightingsRepository,
    private readonly history: FindingHistoryRepository,
    private readonly eventFindings: EventFindingsRepository,
    private readonly totals: AssetTotalsRepository,
    private readonly vulnerabilities: FindingVulnerabilities,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns undefined if a concurrent request has created one of the new findings. Then only the other new findings are written.
   */
  async write(
    actor: Actor,
    target: RecordingTarget,
    planned: readonly PlannedResult[],
    sla: Sla,
  ): Promise<WrittenResult[] | undefined> {
    const batch = { actor, target, sla, totals: new ChangesOfTotals() };
    const created = await this.create(batch, planned);
    if (created === undefined) return undefined;
    const { organizationId, eventId } = target;
    const historyIds = await this.history.addCreated(actor, organizationId, [...created.values()]);
    const changes = await this.change(batch, planned);
    const written = planned.map(({ seen, result, known }): WrittenResult => {
      const change = changes.get(known?.id ?? 0);
      const finding = change?.finding ?? known ?? created.get(keyOfFinding(seen));
      if (finding === undefined) throw new Error('A finding was not recorded.');
      return {
        seen,
        result,
        finding,
        ownId: known?.ownId ?? finding.id,
        checkReplaced: change?.checkReplaced ?? false,
        checkKept: change?.checkKept ?? false,
      };
    });
    const counted = written.filter(({ result }) => result !== 'unchanged');
    const countedIds = [...new Set(counted.map(({ finding }) => finding.id))];
    const sightings = counted.map((one) => {
      // Undoing the import must not resolve the main finding again: the sighting belongs to a merged finding.
      const reopening = one.result === 'reopened' ? (changes.get(one.ownId)?.reopening ?? null) : null;
      const historyId = (one.result === 'new' ? historyIds.get(one.ownId) : reopening?.historyId) ?? null;
      return sightingOf(actor, target, one, { historyId, before: reopening?.before ?? null });
    });
    await Promise.all([
      batch.totals.save(this.totals, organizationId),
      eventId === null ? undefined : this.eventFindings.saveSeen(eventId, organizationId, countedIds),
      this.sightings.addMany(sightings),
    ]);
    return written;
  }

  /** Returns the new findings by `keyOfFinding`. */
  private async create(
    { target, sla, totals }: Batch,
    planned: readonly PlannedResult[],
  ): Promise<Map<string, ScannedFinding> | undefined> {
    const news = planned.filter(({ result }) => result === 'new').map(({ seen }) => seen);
    if (news.length === 0) return new Map();
    const today = dayOf(this.clock.now());
    const copyOf = await this.vulnerabilities.copiesOf(news);
    const seenOf = groupBy(
      planned.filter(({ result }) => result !== 'unchanged'),
      ({ seen }) => keyOfFinding(seen),
    );
    const newFindingOf = (seen: SeenFinding): NewFinding => {
      const { severity, asset, check, text, fingerprint, seenAt, host = null, ...stated } = seen;
      const verification = verificationWhenRecorded(target, check?.checkDefinition != null, asset.id);
      const times = seenOf.get(keyOfFinding(seen)) ?? [];
      const { md = null, html = null } = text() ?? {};
      const { epss, kev } = copyOf(seen);
      return {
        // Spread first, because a scanner's result also has fields that are set below.
        ...stated,
        organizationId: target.organizationId,
        eventId: target.eventId,
        assetId: asset.id,
        assetValue: asset.value,
        placeHost: asset.value === host || asset.value.includes('://') ? null : host,
        beaconId: asset.beaconId,
        assetTier: asset.tier,
        fingerprint: Buffer.from(fingerprint, 'hex'),
        md,
        html,
        severity: severityNumber(severity) as SeverityNumber,
        priority: priorityOf({ severity, tier: asset.tier, isProved: verification?.result === 'confirmed', epss, kev }),
        epss,
        kev,
        checkId: check?.checkId ?? null,
        checkDefinition: check?.checkDefinition ?? null,
        allowUnsafe: check?.allowUnsafe ?? false,
        verification: verification?.result ?? 'untested',
        verificationReason: verification?.reason ?? null,
        verifiedAt: verification?.result === 'confirmed' ? (seenAt ?? this.clock.now()) : null,
        isSupported: times.some((one) => isSupported(target, one)),
        dueDate: dueDateOf(sla, severity, today),
        timesSeen: times.length,
        lastSeen: latestOf(times),
      };
    };
    const rows: NewFinding[] = [];
    // In turns, because the longest texts of a batch take more than a hundred milliseconds.
    for await (const seen of inTurns(news)) rows.push(newFindingOf(seen));
    const added = await this.findings.add(rows);
    if (added.length < rows.length) return undefined;
    for (const finding of added) totals.add(finding.assetId, null, finding);
    return new Map(
      added.map((one) => [keyOfFinding({ fingerprint: one.scanFingerprint, asset: { beaconId: one.beaconId } }), one]),
    );
  }

  /** Updates existing findings: how often they were seen, their asset, and their status if they are reopened. */
  private async change(batch: Batch, planned: readonly PlannedResult[]): Promise<Map<number, Change>> {
    const { organizationId, importId } = batch.target;
    const seenAgain = planned.filter(({ known, result }) => known !== undefined && result !== 'unchanged');
    const byId = groupBy(seenAgain, ({ known }) => known?.id ?? 0);
    const changes = new Map<number, Change>();
    for (const [id, results] of byId) changes.set(id, await this.changeOne(batch, results));
    const seen = [...byId].map(([id, results]) => ({
      id,
      times: results.length,
      lastSeen: latestOf(results),
      isSupported: results.some((one) => isSupported(batch.target, one)),
    }));
    if (seen.length > 0) await this.findings.saveSeen(organizationId, seen);
    await this.eventFindings.copy(seen.flatMap((one) => (one.isSupported ? one.id : [])));
    if (importId === null) return changes;
    const unbound = [...byId].flatMap(([id, results]) => {
      const check = results.find(isOwn)?.seen.check;
      const status = changes.get(id)?.finding.status;
      return check == null || status === undefined || !isOpen(status) ? [] : [{ id, ...check }];
    });
    if (unbound.length > 0) await this.findings.bind(organizationId, unbound);
    return changes;
  }

  /** A sighting of a merged finding changes neither the asset nor the check of its main finding. */
  private async changeOne(batch: Batch, results: readonly PlannedResult[]): Promise<Change> {
    const { actor, target, totals } = batch;
    const own = results.find(isOwn);
    const [{ known } = { known: undefined }] = results;
    if (known === undefined) throw new Error('A finding that is seen again is not known.');
    const current = await restated(this.findings, target, known, results.filter(isOwn));
    const attached = own === undefined ? current : await this.attached(batch, current, own.seen.asset);
    const { finding, checkReplaced, checkKept } =
      own === undefined || own.outdatedBy !== null || target.importId !== null
        ? { finding: attached, checkReplaced: false, checkKept: false }
        : await this.checks.replace(attached, own.seen.check, target);
    totals.add(finding.assetId, attached, finding);
    const reopening = results.find(({ result }) => result === 'reopened');
    if (reopening === undefined) {
      if (checkReplaced) await this.history.addNote(actor, finding, CHECK_REPLACED);
      return { finding, checkReplaced, checkKept, reopening: null };
    }
    const comment = checkReplaced ? CHECK_REPLACED : target.reopenComment;
    return { checkReplaced, checkKept, ...(await this.reopened(batch, finding, reopening, comment)) };
  }

  private async reopened(
    { actor, sla, totals }: Batch,
    finding: ScannedFinding,
    { renewsTerm, seen }: PlannedResult,
    comment: string | null,
  ) {
    const { status, previousStatus, deadlineStart, dueDate } = finding;
    const term = renewsTerm ? renewedTerm(sla, finding, this.clock.now()) : {};
    const after = { ...finding, ...term, status: FINDING_STATUS.open, previousStatus: status };
    totals.add(finding.assetId, finding, after);
    const [{ id: historyId }] = await Promise.all([
      this.history.add(actor, after, comment, { decided: seen.seenAt }),
      this.findings.saveReopened(finding.id, after),
    ]);
    await this.history.addDueDate(finding, after, TERM_RENEWED);
    return { finding: after, reopening: { historyId, before: { status, previousStatus, deadlineStart, dueDate } } };
  }

  /** Attaches a finding without an asset, if the asset was added after the finding was recorded. */
  private async attached({ actor, totals }: Batch, finding: ScannedFinding, asset: AssetOfFinding) {
    if (finding.assetId !== null || asset.id === null) return finding;
    const onAsset = { ...finding, assetId: asset.id, assetTier: asset.tier };
    const attached = { ...onAsset, priority: priorityOf(priorityFactsOf(onAsset)) };
    await this.findings.attach(attached);
    await this.eventFindings.copy([finding.id]);
    totals.add(asset.id, null, attached);
    await this.history.addAsset(actor, attached);
    return attached;
  }
}

/** Whether the finding that counts is itself the one with the fingerprint. */
const isOwn = ({ known }: PlannedResult): boolean => known?.id === known?.ownId;

/** The same place behind two beacons is two findings. */
export const keyOfFinding = ({
  fingerprint,
  asset,
}: {
  readonly fingerprint: string;
  readonly asset: Pick<AssetOfFinding, 'beaconId'>;
}): string => `${fingerprint} ${asset.beaconId ?? ''}`;
