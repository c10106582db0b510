import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/api/caller';
import { everything } from '../../../platform/api/scope';
import { OrganizationsService } from '../../organizations';
import { FindingSightingsRepository } from './data/finding-sightings.repository';
import { FindingHistoryRepository } from '../changes/data/finding-history.repository';
import { FindingSlaRepository } from '../changes/data/finding-sla.repository';
import { type KnownFinding, ScannedFindingsRepository } from './data/scanned-findings.repository';
import { sourceOf } from '../domain/scan-identity';
import {
  applySighting,
  keyOfSighting,
  type ScannedState,
  type ScanResult,
  type SightingResult,
} from '../domain/scan-result';
import { defaultSla } from '../domain/sla';
import { FindingWriter, keyOfFinding } from './finding-writer';
import type { PlannedResult } from './recorded-result';
import type { SeenFinding } from './seen-finding';

/** A result from a scanner's file. */
export interface ScannedDraft extends SeenFinding {
  readonly ruleId: string;
  readonly place: string;
  readonly parameter: string | null;
  readonly seenAt: Date;
  /** Whether the file says when it was seen. Otherwise `seenAt` is the time of the upload. */
  readonly isDated: boolean;
  /** The identity in earlier versions. An existing finding with that identity and the same title keeps it. */
  readonly former: Pick<ScannedDraft, 'scanner' | 'ruleId' | 'fingerprint'> | null;
}

/** Where the results of an import are recorded. */
export interface ScanTarget {
  readonly organizationId: number;
  readonly eventId: number | null;
  readonly importId: number;
}

export interface ScannedOutcome {
  readonly result: ScanResult;
  /** The finding with the fingerprint, even if it is merged into another. Null if it does not exist yet. */
  readonly findingId: number | null;
  /** Whether the finding stays resolved although the file has it, and no test has decided since. */
  readonly contradicts: boolean;
}

/** An earlier result of the same dry run. */
export type EarlierResult = Pick<ScannedDraft, 'fingerprint' | 'seenAt' | 'isDated' | 'scanner' | 'ruleId' | 'asset'>;

type PlannedScan = PlannedResult<ScannedDraft>;

const scope = everything('an import writes to the organization that it belongs to');

/** Records the results of a scanner's file in batches, with a few statements for each batch. */
@Injectable()
export class ScannedFindingsService {
  constructor(
    private readonly findings: ScannedFindingsRepository,
    private readonly history: FindingHistoryRepository,
    private readonly sightings: FindingSightingsRepository,
    private readonly writer: FindingWriter,
    private readonly slas: FindingSlaRepository,
    private readonly organizations: OrganizationsService,
  ) {}

  /** The drafts whose findings still have the identity of earlier versions, with that identity. */
  async withFormerIdentities(
    { organizationId }: ScanTarget,
    drafts: readonly ScannedDraft[],
  ): Promise<readonly ScannedDraft[]> {
    const former = drafts.flatMap((draft) => draft.former?.fingerprint ?? []);
    if (former.length === 0) return drafts;
    const titled = await this.findings.listTitles(organizationId, [...new Set(former)]);
    const existing = new Set(titled.map((one) => `${keyOfFinding({ ...one, asset: one })} ${one.title}`));
    return drafts.map((draft) =>
      draft.former !== null && existing.has(`${keyOfFinding({ ...draft, ...draft.former })} ${draft.title}`)
        ? { ...draft, ...draft.former }
        : draft,
    );
  }

  /** The results that `record` would return. Changes nothing. */
  async preview(
    target: ScanTarget,
    drafts: readonly ScannedDraft[],
    earlier: readonly EarlierResult[],
  ): Promise<ScannedOutcome[]> {
    const known = await this.listFor(target, drafts, false);
    const planned = await this.plan(target, drafts, known, earlier);
    return planned.map(({ result, contradicts, known: finding }) => ({
      result,
      contradicts,
      findingId: finding?.ownId ?? null,
    }));
  }

  /** Locks the organization, then its other imports, then the findings in the order of their ids. */
  async record(actor: Actor, target: ScanTarget, drafts: readonly ScannedDraft[]): Promise<ScannedOutcome[]> {
    const { organizationId, importId } = target;
    await this.organizations.lockForShare(scope, organizationId);
    await this.sightings.lockScansOf(organizationId);
    const sla = (await this.slas.findOfVisible(organizationId)) ?? defaultSla;
    const planned = await this.plan(target, drafts, await this.listFor(target, drafts, true), []);
    const recording = { ...target, jobUuid: null, reopenComment: `Import ${importId} found it again.` };
    const written = await this.writer.write(actor, recording, planned, sla);
    // No other code records findings with the fingerprints of scans.
    if (written === undefined) throw new Error('Findings of an import were created by something else.');
    return written.map(({ result, ownId }, index) => ({
      result,
      findingId: ownId,
      contradicts: planned[index]?.contradicts === true,
    }));
  }

  /** The same place behind two beacons is two findings. If several findings have the fingerprint, the oldest counts. */
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
        .map((one) => [keyOfFinding({ fingerprint: one.scanFingerprint, asset: { beaconId: one.ownBeaconId } }), one]),
    );
  }

  private async plan(
    { eventId }: ScanTarget,
    drafts: readonly ScannedDraft[],
    known: ReadonlyMap<string, KnownFinding>,
    earlier: readonly EarlierResult[],
  ): Promise<PlannedScan[]> {
    const findings = [...known.values()];
    const ids = findings.map(({ ownId }) => ownId);
    const keys = drafts.map(sightingKeyOf);
    const [seen, knowledge] = await Promise.all([
      ids.length === 0 ? [] : this.sightings.listKnown(ids, eventId, keys),
      this.history.listKnowledge(findings),
    ]);
    const states = new Map<string, ScannedState>();
    for (const [key, { id, ownId }] of known) {
      const sightings = new Set(seen.filter(({ findingId }) => findingId === ownId).map(keyOfSighting));
      const ofFinding = knowledge.get(id);
      if (ofFinding !== undefined) states.set(key, { ...ofFinding, sightings });
    }
    const keysOf = new Map<number, string[]>();
    for (const [key, { id }] of known) keysOf.set(id, [...(keysOf.get(id) ?? []), key]);
    const apply = (key: string, sighting: Parameters<typeof applySighting>[1]): SightingResult => {
      const { state, ...result } = applySighting(states.get(key), sighting);
      states.set(key, state);
      // Findings that are merged into one share its state.
      for (const other of keysOf.get(known.get(key)?.id ?? 0) ?? [])
        if (other !== key) states.set(other, { ...state, sightings: states.get(other)?.sightings ?? new Set() });
      return result;
    };
    for (const draft of drafts) {
      const before = earlier.filter((one) => keyOfFinding(one) === keyOfFinding(draft));
      for (const one of before) apply(keyOfFinding(draft), sightingKeyOf(one));
    }
    return drafts.map((draft) => ({
      seen: draft,
      ...apply(keyOfFinding(draft), sightingKeyOf(draft)),
      known: known.get(keyOfFinding(draft)),
    }));
  }
}

const sightingKeyOf = (draft: Pick<ScannedDraft, 'scanner' | 'ruleId' | 'seenAt' | 'isDated'>) => ({
  source: sourceOf(draft.scanner, draft.ruleId),
  seenAt: draft.seenAt,
  isDated: draft.isDated,
});
