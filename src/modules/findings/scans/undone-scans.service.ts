import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/api/caller';
import { everything } from '../../../platform/api/scope';
import { OrganizationsService } from '../../organizations';
import { ChangesOfTotals } from '../changes/changes-of-totals';
import { AssetTotalsRepository } from '../changes/data/asset-totals.repository';
import type { BeforeReopening } from '../data/finding-sighting.entity';
import { FindingHistoryRepository } from '../changes/data/finding-history.repository';
import { FindingSightingsRepository, type UndoneSighting } from './data/finding-sightings.repository';
import type { ScannedFinding } from '../data/finding.entity';
import { MergedFindingsRepository } from './data/merged-findings.repository';
import { ScannedFindingsRepository } from './data/scanned-findings.repository';
import { FINDING_STATUS } from '../domain/finding-status';
import type { ScanTarget } from './scanned-findings.service';

/** What undoing a batch has changed. */
export interface UndoneBatch {
  /** The last finding of the batch; null if there was none left. */
  readonly last: number | null;
  /** How many findings were removed: the import had created them, and no one else has seen them. */
  readonly removed: number;
}

/** Findings and sightings that undoing must keep. */
export interface Retained {
  /** Findings that were tested in the meantime. */
  readonly tested: readonly number[];
  /** Findings for which another import has the same results, with the id of that import. */
  readonly alsoIn: (findingIds: readonly number[]) => Promise<ReadonlyMap<number, number>>;
}

const STAYS = 'It stays, because a check of this service has seen the weakness.';

const scope = everything('an import changes the organization that it belongs to');

/** Removes the findings that an import created and its sightings, and restores the findings that it reopened. */
@Injectable()
export class UndoneScansService {
  constructor(
    private readonly findings: ScannedFindingsRepository,
    private readonly merged: MergedFindingsRepository,
    private readonly sightings: FindingSightingsRepository,
    private readonly history: FindingHistoryRepository,
    private readonly totals: AssetTotalsRepository,
    private readonly organizations: OrganizationsService,
  ) {}

  /** The findings that the import created or reopened and that someone has changed or tested since. At most `limit`. */
  async listTouched(importId: number, tested: readonly number[], limit: number): Promise<number[]> {
    const touched = await this.sightings.listTouchedSince(importId, tested, null, limit);
    return touched.map(({ id }) => id);
  }

  /**
   * How many findings keep their sightings, because a check has seen the weakness or people have changed them in the meantime.
   */
  countKept(importId: number): Promise<number> {
    return this.sightings.countFindingsOfImport(importId);
  }

  /** Undoes the sightings of the next findings after an id. */
  async undoSome(
    actor: Actor,
    { organizationId, eventId, importId }: ScanTarget,
    { after, limit }: { readonly after: number; readonly limit: number },
    { tested, alsoIn }: Retained,
  ): Promise<UndoneBatch> {
    await this.organizations.lockForShare(scope, organizationId);
    await this.sightings.lockScansOf(organizationId);
    const undone = await this.sightings.listOfImport(importId, after, limit);
    const ids = [...new Set(undone.map(({ findingId }) => findingId))];
    const findings = await this.merged.lockByIds(organizationId, ids);
    const others = await alsoIn(ids);
    const touched = new Set((await this.sightings.listTouchedSince(importId, tested, ids, limit)).map(({ id }) => id));
    const created = new Set(undone.flatMap(({ outcome, findingId }) => (outcome === 'created' ? findingId : [])));
    // The proof of a merged finding is stored in its main finding.
    const kept = findings.filter(
      ({ id, verification, mergedInto }) =>
        verification === 'confirmed' && mergedInto === null && created.has(id) && !others.has(id) && !touched.has(id),
    );
    for (const one of kept) {
      touched.add(one.id);
      await this.history.addNote(actor, one, `Import ${importId}, which had created it, was undone. ${STAYS}`);
    }
    for (const [id, other] of others)
      await this.sightings.moveTo(idsOf(undone.filter(({ findingId }) => findingId === id)), other);
    const own = undone.filter(({ findingId }) => !others.has(findingId) && !touched.has(findingId));
    await this.sightings.remove(idsOf(own));
    const last = await this.sightings.listLast(ids);
    const totals = new ChangesOfTotals();
    const removed: number[] = [];
    for (const finding of findings) {
      const ofFinding = own.filter(({ findingId }) => findingId === finding.id);
      const creation = ofFinding.find(({ outcome }) => outcome === 'created');
      const reopening = ofFinding.find(({ outcome }) => outcome === 'reopened');
      const lastId = last.get(finding.id);
      if (creation !== undefined && lastId === undefined) {
        removed.push(finding.id);
        if (finding.mergedInto === null) totals.add(finding.assetId, finding, null);
      } else if (creation !== undefined) {
        await this.sightings.inherit(creation);
      } else if (reopening !== undefined && (lastId ?? 0) > Number(reopening.id)) {
        await this.sightings.inherit(reopening);
      } else if (reopening?.before != null && finding.status === FINDING_STATUS.open) {
        await this.resolveAgain({ actor, importId }, finding, { ...reopening, before: reopening.before }, totals);
      }
    }
    await this.findings.remove(organizationId, removed);
    await totals.save(this.totals, organizationId);
    const mains = findings.flatMap(({ id, mergedInto }) => (removed.includes(id) ? (mergedInto ?? []) : []));
    const left = [...ids, ...mains].filter((id) => !removed.includes(id));
    if (left.length > 0) {
      await this.sightings.recount(left, eventId);
      await this.findings.restateFromSightings(left);
    }
    return { last: ids.at(-1) ?? null, removed: removed.length };
  }

  private async resolveAgain(
    { actor, importId }: { readonly actor: Actor; readonly importId: number },
    finding: ScannedFinding,
    { before, seenAt }: Pick<UndoneSighting, 'seenAt'> & { readonly before: BeforeReopening },
    totals: ChangesOfTotals,
  ): Promise<void> {
    const { status, verification, verifiedAt } = finding;
    if (verification === 'confirmed' && verifiedAt !== null && verifiedAt > seenAt) {
      const comment = `Import ${importId}, which had reopened it, was undone. It stays open, because a test has confirmed it since.`;
      await this.history.add(actor, { ...finding, previousStatus: status }, comment);
      return;
    }
    const after = { ...finding, ...before };
    await this.findings.saveReopened(finding.id, after);
    totals.add(finding.assetId, finding, after);
    const comment = `Import ${importId}, which had reopened it, was undone.`;
    await this.history.add(actor, { ...after, previousStatus: status }, comment);
    await this.history.addDueDate(finding, after, comment);
  }
}

const idsOf = (sightings: readonly UndoneSighting[]): string[] => sightings.map(({ id }) => id);
