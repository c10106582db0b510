import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { dayOf } from '../../kernel/day';
import { groupBy } from '../../kernel/group-by';
import { inTurns } from '../../kernel/in-turns';
import { type Severity, SEVERITIES, severityNumber } from '../../kernel/severity';
import type { Actor } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import { OrganizationsService } from '../organizations';
import { AssetTotalsRepository } from './data/asset-totals.repository';
import { FindingHistoryRepository } from './data/finding-history.repository';
import { type BeforeReopening, FindingSighting, type SightingOutcome } from './data/finding-sighting.entity';
import { FindingSightingsRepository, type NewSighting } from './data/finding-sightings.repository';
import { FindingSlaRepository } from './data/finding-sla.repository';
import type { LockedFinding } from './data/finding.entity';
import { type KnownFinding, type ScannedFinding, ScannedFindingsRepository } from './data/scanned-findings.repository';
import { ChangesOfTotals } from './changes-of-totals';
import { FINDING_STATUS, isOpen } from './domain/finding-status';
import { priorityOf } from './domain/priority';
import type { CheckDefinition } from './domain/check-definition';
import { usableReferences } from './domain/references';
import { sourceOf } from './domain/scan-identity';
import { applySighting, keyOfSighting, type ScannedState, type ScanResult } from './domain/scan-result';
import { severityOfScan } from './domain/severity-of-finding';
import { defaultSla, dueDateOf, type Sla } from './domain/sla';
import type { FindingDraft } from './finding-recorder';
import { FindingVulnerabilities } from './finding-vulnerabilities';
import type { Markdown } from './rendering/markdown-renderer';

/** A result in the file of a scanner. */
export interface ScannedDraft extends Pick<
  FindingSighting,
  'ruleId' | 'seenAt' | 'title' | 'location' | 'place' | 'parameter' | 'evidence' | 'replay' | 'template'
> {
  readonly scanner: string;
  readonly line: number;
  /** In hex, from `fingerprintOfScan`. */
  readonly fingerprint: string;
  /** The identity in earlier versions, which a finding with the same title keeps. */
  readonly former: Pick<ScannedDraft, 'scanner' | 'ruleId' | 'fingerprint'> | null;
  readonly asset: FindingDraft['asset'];
  readonly severity: Severity;
  readonly cvssVector: string | null;
  readonly cve: string | null;
  readonly otherCves: readonly string[];
  readonly cwe: number | null;
  /** The check that tests what it reports. */
  readonly check: { readonly checkId: string; readonly checkDefinition: CheckDefinition } | null;
  /** What is no http or https URL is left out. */
  readonly references: readonly string[];
  /** Called if the finding is new. */
  readonly text: () => Markdown;
}

/** Where the results of an import are recorded. */
export interface ScanTarget {
  readonly organizationId: number;
  readonly eventId: number | null;
  readonly importId: number;
}

export interface ScannedOutcome {
  readonly result: ScanResult;
  /** The finding with the fingerprint, also if it is merged into another. Null if it does not exist yet. */
  readonly findingId: number | null;
}

/** An earlier result of a dry run. */
export type EarlierResult = Pick<ScannedDraft, 'fingerprint' | 'seenAt' | 'scanner' | 'ruleId' | 'asset'>;

interface PlannedResult {
  readonly draft: ScannedDraft;
  readonly result: ScanResult;
  readonly known: KnownFinding | undefined;
}

const scope = everything('an import writes to the organization that it belongs to');

/** Records the results of a scanner's file in batches, with a few statements for all results of a batch. */
@Injectable()
export class ScannedFindingsService {
  constructor(
    private readonly findings: ScannedFindingsRepository,
    private readonly sightings: FindingSightingsRepository,
    private readonly history: FindingHistoryRepository,
    private readonly totals: AssetTotalsRepository,
    private readonly slas: FindingSlaRepository,
    private readonly vulnerabilities: FindingVulnerabilities,
    private readonly organizations: OrganizationsService,
    private readonly clock: Clock,
  ) {}

  /** The drafts whose findings have the identity of earlier versions, with that identity. */
  async withFormerIdentities(
    { organizationId }: ScanTarget,
    drafts: readonly ScannedDraft[],
  ): Promise<readonly ScannedDraft[]> {
    const former = drafts.flatMap((draft) => draft.former?.fingerprint ?? []);
    if (former.length === 0) return drafts;
    const titled = await this.findings.listTitles(organizationId, [...new Set(former)]);
    const existing = new Set(titled.map((one) => `${keyOf({ ...one, asset: one })} ${one.title}`));
    return drafts.map((draft) =>
      draft.former !== null && existing.has(`${keyOf({ ...draft, ...draft.former })} ${draft.title}`)
        ? { ...draft, ...draft.former }
        : draft,
    );
  }

  /** The results that `record` would have. Changes nothing. */
  async preview(
    target: ScanTarget,
    drafts: readonly ScannedDraft[],
    earlier: readonly EarlierResult[],
  ): Promise<ScannedOutcome[]> {
    const known = await this.listFor(target, drafts, false);
    const planned = await this.plan(target, drafts, known, earlier);
    return planned.map(({ result, known: finding }) => ({ result, findingId: finding?.ownId ?? null }));
  }

  /** Locks the organization, the other imports of it, and then the findings by their ids. */
  async record(actor: Actor, target: ScanTarget, drafts: readonly ScannedDraft[]): Promise<ScannedOutcome[]> {
    const { organizationId } = target;
    await this.organizations.lockForShare(scope, organizationId);
    await this.sightings.lockScansOf(organizationId);
    const sla = (await this.slas.findOfVisible(organizationId)) ?? defaultSla;
    const planned = await this.plan(target, drafts, await this.listFor(target, drafts, true), []);
    const totals = new ChangesOfTotals();
    const created = await this.create(target, planned, sla, totals);
    const createdIds = [...created.values()].map(({ id }) => id);
    const historyIds = await this.findings.addHistory(actor, organizationId, createdIds);
    const reopened = await this.change(actor, target, planned, sla, totals);
    await totals.save(this.totals, organizationId);
    const sightings = planned
      .filter(({ result }) => result !== 'unchanged')
      .map(({ draft, result, known }): NewSighting => {
        const findingId = known?.ownId ?? created.get(keyOf(draft))?.id ?? 0;
        // Undoing the import does not resolve a main finding again: the sighting is that of another one.
        const isReopening = result === 'reopened' ? reopened.get(findingId) : undefined;
        const historyId = result === 'new' ? historyIds.get(findingId) : isReopening?.historyId;
        return {
          findingId,
          outcome: OUTCOMES[result],
          historyId: historyId ?? null,
          before: isReopening?.before ?? null,
          // Last, because V8 makes an object of two kilobytes if fields follow those of another object.
          ...sightingOf(actor, target, draft),
        };
      });
    if (sightings.length > 0) await this.sightings.addMany(sightings);
    const counted = planned.flatMap(({ draft, result, known }) =>
      result === 'unchanged' ? [] : [known?.id ?? created.get(keyOf(draft))?.id ?? 0],
    );
    if (target.eventId !== null && counted.length > 0)
      await this.findings.linkToEvent(
        target.eventId,
        [...new Set(counted)].map((id) => ({ id })),
      );
    return planned.map(({ draft, result, known }) => ({
      result,
      findingId: known?.ownId ?? created.get(keyOf(draft))?.id ?? null,
    }));
  }

  /** A finding of the same place behind another beacon is another one. If several have the fingerprint, the oldest counts. */
  private async listFor(
    { organizationId }: ScanTarget,
    drafts: readonly ScannedDraft[],
    isLocked: boolean,
  ): Promise<Map<string, KnownFinding>> {
    const fingerprints = [...new Set(drafts.map(({ fingerprint }) => fingerprint))];
    const found = await this.findings.listByFingerprints(organizationId, fingerprints, isLocked);
    return new Map(
      found
        .toSorted((one, other) => other.ownId - one.ownId)
        .map((one) => [keyOf({ fingerprint: one.scanFingerprint, asset: { beaconId: one.ownBeaconId } }), one]),
    );
  }

  private async plan(
    { eventId }: ScanTarget,
    drafts: readonly ScannedDraft[],
    known: ReadonlyMap<string, KnownFinding>,
    earlier: readonly EarlierResult[],
  ): Promise<PlannedResult[]> {
    const findings = [...known.values()];
    const ids = findings.map(({ ownId }) => ownId);
    const resolved = findings.filter(({ status }) => status === FINDING_STATUS.resolved).map(({ id }) => id);
    const keys = drafts.map(keyOfDraft);
    const [seen, resolvedAt] = await Promise.all([
      ids.length === 0 ? [] : this.sightings.listKnown(ids, eventId, keys),
      resolved.length === 0 ? new Map<number, Date>() : this.findings.listResolved(resolved),
    ]);
    const states = new Map<string, ScannedState>(
      [...known].map(([key, { id, ownId, status }]) => [
        key,
        {
          status,
          resolvedAt: status === FINDING_STATUS.resolved ? (resolvedAt.get(id) ?? null) : null,
          sightings: new Set(seen.filter(({ findingId }) => findingId === ownId).map(keyOfSighting)),
        },
      ]),
    );
    const keysOf = new Map<number, string[]>();
    for (const [key, { id }] of known) keysOf.set(id, [...(keysOf.get(id) ?? []), key]);
    const apply = (key: string, sighting: Parameters<typeof applySighting>[1]): ScanResult => {
      const { result, state } = applySighting(states.get(key), sighting);
      states.set(key, state);
      const { status, resolvedAt } = state;
      // Findings that are merged share their status.
      for (const other of keysOf.get(known.get(key)?.id ?? 0) ?? [])
        if (other !== key)
          states.set(other, { sightings: states.get(other)?.sightings ?? new Set(), status, resolvedAt });
      return result;
    };
    for (const draft of drafts) {
      const before = earlier.filter((one) => keyOf(one) === keyOf(draft));
      for (const one of before) apply(keyOf(draft), keyOfDraft(one));
    }
    return drafts.map((draft) => ({
      draft,
      result: apply(keyOf(draft), keyOfDraft(draft)),
      known: known.get(keyOf(draft)),
    }));
  }

  private async create(
    { organizationId, eventId }: ScanTarget,
    planned: readonly PlannedResult[],
    sla: Sla,
    totals: ChangesOfTotals,
  ): Promise<Map<string, ScannedFinding>> {
    const news = planned.filter(({ result }) => result === 'new').map(({ draft }) => draft);
    if (news.length === 0) return new Map();
    const today = dayOf(this.clock.now());
    const copyOf = await this.vulnerabilities.copiesOf(news);
    const seenOf = groupBy(
      planned.filter(({ result }) => result !== 'unchanged'),
      ({ draft }) => keyOf(draft),
    );
    const rowOf = (draft: ScannedDraft) => {
      const { asset, title, cve, otherCves, cwe, fingerprint } = draft;
      const { severity, score, cvssVector } = severityOfScan(draft);
      const { md, html } = draft.text();
      const seen = seenOf.get(keyOf(draft)) ?? [];
      return {
        organizationId,
        eventId,
        assetId: asset.id,
        assetValue: asset.value,
        beaconId: asset.beaconId,
        title,
        md,
        html,
        severity: severityNumber(severity) as LockedFinding['severity'],
        ...copyOf(draft),
        references: usableReferences(draft.references),
        assetTier: asset.tier,
        priority: priorityOf({ severity, tier: asset.tier, ...copyOf(draft) }),
        score,
        cve,
        otherCves: [...otherCves],
        cwe,
        cvssVector,
        dueDate: dueDateOf(sla, severity, today),
        timesSeen: seen.length,
        checkId: draft.check?.checkId ?? null,
        checkDefinition: draft.check?.checkDefinition ?? null,
        lastSeen: latestOf(seen),
        fingerprint,
      };
    };
    const rows: ReturnType<typeof rowOf>[] = [];
    // The longest texts of a batch take more than a hundred milliseconds.
    for await (const draft of inTurns(news)) rows.push(rowOf(draft));
    const added = await this.findings.add(rows);
    for (const finding of added) totals.add(finding.assetId, null, finding);
    return new Map(
      added.map((one) => [keyOf({ fingerprint: one.scanFingerprint, asset: { beaconId: one.beaconId } }), one]),
    );
  }

  /** Findings that exist: sets how often they were seen, attaches them to their asset, and reopens them. */
  private async change(
    actor: Actor,
    { organizationId, importId }: ScanTarget,
    planned: readonly PlannedResult[],
    sla: Sla,
    totals: ChangesOfTotals,
  ): Promise<Map<number, { readonly historyId: string; readonly before: BeforeReopening }>> {
    const changed = planned.filter(({ known, result }) => known !== undefined && result !== 'unchanged');
    const byId = new Map<number, PlannedResult[]>();
    for (const one of changed) byId.set(one.known?.id ?? 0, [...(byId.get(one.known?.id ?? 0) ?? []), one]);
    const reopened = new Map<number, { historyId: string; before: BeforeReopening }>();
    for (const [id, results] of byId) {
      const [first] = results;
      if (first?.known === undefined) continue;
      const own = results.find(isOwn);
      const finding = own === undefined ? first.known : await this.attached(first.known, own.draft.asset, totals);
      if (!results.some(({ result }) => result === 'reopened')) continue;
      const deadlineStart = dayOf(this.clock.now());
      const { status, previousStatus, severity, dueByHand } = finding;
      const dueDate = dueByHand ? finding.dueDate : dueDateOf(sla, SEVERITIES[severity], deadlineStart);
      const after = { ...finding, status: FINDING_STATUS.open, previousStatus: status, deadlineStart, dueDate };
      await this.findings.saveReopened(id, after);
      totals.add(finding.assetId, finding, after);
      const comment = `Import ${importId} found it again.`;
      const entry = await this.history.add({ ...historyOf(actor, after), comment });
      const before = { status, previousStatus, deadlineStart: finding.deadlineStart, dueDate: finding.dueDate };
      reopened.set(id, { historyId: entry.id, before });
    }
    const unbound = [...byId].flatMap(([id, results]) => {
      // The check of a merged finding is none of its main finding.
      const { known, draft } = results.find(isOwn) ?? {};
      if (known === undefined || (!isOpen(known.status) && !reopened.has(id))) return [];
      return draft?.check ? [{ id, ...draft.check }] : [];
    });
    if (unbound.length > 0) await this.findings.bind(organizationId, unbound);
    const seen = [...byId].map(([id, results]) => ({ id, times: results.length, lastSeen: latestOf(results) }));
    if (seen.length > 0) await this.findings.saveSeen(organizationId, seen);
    return reopened;
  }

  /** If the asset was added after the finding was recorded. */
  private async attached(
    finding: ScannedFinding,
    asset: FindingDraft['asset'],
    totals: ChangesOfTotals,
  ): Promise<ScannedFinding> {
    if (finding.assetId !== null || asset.id === null) return finding;
    const priority = priorityOf({ ...finding, severity: SEVERITIES[finding.severity], tier: asset.tier });
    const attached = { ...finding, assetId: asset.id, assetTier: asset.tier, priority };
    await this.findings.attach(attached);
    totals.add(asset.id, null, attached);
    return attached;
  }
}

const OUTCOMES: Readonly<Record<Exclude<ScanResult, 'unchanged'>, SightingOutcome> & { unchanged: SightingOutcome }> = {
  new: 'created',
  seen_again: 'seen_again',
  reopened: 'reopened',
  unchanged: 'seen_again',
};

/** Whether the finding that counts has the fingerprint itself. */
const isOwn = ({ known }: PlannedResult): boolean => known?.id === known?.ownId;

const keyOf = ({ fingerprint, asset }: { fingerprint: string; asset: { beaconId: number | null } }): string =>
  `${fingerprint} ${asset.beaconId ?? ''}`;

const keyOfDraft = ({ scanner, ruleId, seenAt }: Pick<ScannedDraft, 'scanner' | 'ruleId' | 'seenAt'>) => ({
  source: sourceOf(scanner, ruleId),
  seenAt,
});

const latestOf = (results: readonly PlannedResult[]): Date =>
  new Date(Math.max(...results.map(({ draft }) => draft.seenAt.getTime())));

const sightingOf = (actor: Actor, target: ScanTarget, draft: ScannedDraft) => ({
  organizationId: target.organizationId,
  eventId: target.eventId,
  importId: target.importId,
  jobUuid: null,
  scanner: draft.scanner,
  ruleId: draft.ruleId,
  source: sourceOf(draft.scanner, draft.ruleId),
  seenAt: draft.seenAt,
  line: draft.line,
  title: draft.title,
  severity: severityNumber(draft.severity) as LockedFinding['severity'],
  location: draft.location,
  place: draft.place,
  parameter: draft.parameter,
  evidence: draft.evidence,
  replay: draft.replay,
  template: draft.template,
  actorType: actor.type,
  actorId: actor.id,
});

const historyOf = (actor: Actor, { id, organizationId, status, previousStatus }: ScannedFinding) => ({
  organizationId,
  findingId: id,
  status,
  previousStatus,
  actorType: actor.type,
  actorId: actor.id,
  isComment: false,
});
