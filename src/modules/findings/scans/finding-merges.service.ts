import { Injectable } from '@nestjs/common';
import { notFound } from '../../../kernel/domain-error';
import { orThrow } from '../../../kernel/or-throw';
import { type Actor, type Caller, system } from '../../../platform/api/caller';
import { everything } from '../../../platform/api/scope';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { SecondApproval } from '../../approvals';
import { OrganizationsService } from '../../organizations';
import { ChangesOfTotals } from '../changes/changes-of-totals';
import { AssetTotalsRepository } from '../changes/data/asset-totals.repository';
import { FindingHistoryRepository } from '../changes/data/finding-history.repository';
import { FindingSightingsRepository } from './data/finding-sightings.repository';
import { MergedFindingsRepository } from './data/merged-findings.repository';
import type { ScannedFinding } from '../data/finding.entity';
import { mergeProposal } from '../domain/approvable';
import { FindingSeparation } from './finding-separation';
import { MAX_PARTS, mainOfAlike, requireMergeable, requireSeparable, tooManyParts } from '../domain/merge';

const findingNotFound = () => notFound('Finding');

/**
 * Merges findings that people recognize as the same weakness, and separates them again. The lock of the organization excludes
 * other merges and everything that records findings, so those see each finding either merged or separate.
 */
@Injectable()
export class FindingMergesService {
  constructor(
    private readonly merged: MergedFindingsRepository,
    private readonly separation: FindingSeparation,
    private readonly sightings: FindingSightingsRepository,
    private readonly history: FindingHistoryRepository,
    private readonly totals: AssetTotalsRepository,
    private readonly organizations: OrganizationsService,
    private readonly approval: SecondApproval,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Merges all of them or none. The parts of a merged finding become parts of the main finding. */
  async merge(caller: Caller, mainId: number, ids: readonly number[]): Promise<void> {
    const organizationId = await this.lockOrganizationOf(caller, mainId);
    const ofParts = await this.merged.listParts(organizationId, ids);
    const locked = byId(await this.merged.lockByIds(organizationId, [mainId, ...ids, ...ofParts]));
    const main = orThrow(locked.get(mainId), findingNotFound);
    await this.unitOfWork.checkCondition();
    requireMergeable(main, locked, ids, caller.hasRole('admin', organizationId));
    const count = (await this.merged.listParts(organizationId, [mainId])).length + ids.length + ofParts.length;
    if (count > MAX_PARTS) throw tooManyParts(mainId, count);
    await this.approval.require(caller.actor, mergeProposal(main, valuesOf(locked, ids)));
    await this.save(caller.actor, main, valuesOf(locked, ids), valuesOf(locked, ofParts));
    this.unitOfWork.note({ metadata: { merged: ids, ...(ofParts.length > 0 && { parts_of_merged: ofParts }) } });
  }

  /**
   * Merges findings of an asset that the same check of this service has confirmed at the same place. Returns undefined if there
   * are none. Call it in a unit of work that holds no other locks.
   */
  async mergeAlike(organizationId: number, id: number): Promise<true | undefined> {
    await this.organizations.lockForCounting(
      everything('a worker merges findings of all organizations'),
      organizationId,
    );
    const alike = await this.merged.listAlike(organizationId, id);
    const ofParts = await this.merged.listParts(organizationId, [id, ...alike]);
    if (alike.length === 0 || ofParts.length + alike.length > MAX_PARTS) return undefined;
    const locked = byId(await this.merged.lockByIds(organizationId, [id, ...alike, ...ofParts]));
    let [main, ...others] = valuesOf(locked, [id, ...alike]);
    const merged: number[] = [];
    for (const other of others) {
      if (main === undefined) break;
      const next = mainOfAlike(main, other);
      if (next === null) {
        await this.note(
          system,
          [main],
          `Its check has confirmed #${other.id} at the same place: merge them if they are one weakness.`,
        );
        continue;
      }
      const part = next === main ? other : main;
      const parts = [...locked.values()].filter(({ mergedInto }) => mergedInto === part.id);
      main = await this.withEarlierDueDate(next, part);
      await this.save(system, main, [part], parts, 'Its check has confirmed both at the same place. ');
      for (const one of [part, ...parts]) locked.set(one.id, { ...one, mergedInto: main.id });
      merged.push(part.id);
    }
    this.unitOfWork.note({ resourceId: String(main?.id), metadata: { merged } });
    return true;
  }

  private async withEarlierDueDate(main: ScannedFinding, part: ScannedFinding): Promise<ScannedFinding> {
    const isEarlier = part.dueDate !== null && (main.dueDate === null || part.dueDate < main.dueDate);
    if (!isEarlier) return main;
    const after = { ...main, dueDate: part.dueDate, dueByHand: part.dueByHand };
    await this.merged.saveDueDate(after);
    await this.history.addDueDate(main, after, `That of #${part.id}, which is merged into it.`);
    return after;
  }

  /** The findings are locked. `ofParts` are the findings that are merged into the parts. */
  async save(
    actor: Actor,
    main: ScannedFinding,
    parts: readonly ScannedFinding[],
    ofParts: readonly ScannedFinding[],
    reason = '',
  ): Promise<void> {
    const { id: mainId, organizationId } = main;
    const ids = parts.map(({ id }) => id);
    const totals = new ChangesOfTotals();
    for (const part of parts) totals.add(part.assetId, part, null);
    const moved = [...parts, ...ofParts];
    await this.merged.save(
      organizationId,
      moved.map(({ id }) => id),
      mainId,
    );
    await this.merged.moveEvents(organizationId, mainId, ids);
    await this.sightings.recount([mainId], null);
    await totals.save(this.totals, organizationId);
    await this.note(actor, [main], `${reason}Merged into it: ${numbersOf(ids)}.`);
    await this.note(actor, moved, `${reason}Merged into #${mainId}.`);
  }

  /**
   * Separates all of them or none. They count again, each with its own status, unless it was resolved and has been seen again
   * since.
   */
  async separate(caller: Caller, mainId: number, ids: readonly number[]): Promise<void> {
    const organizationId = await this.lockOrganizationOf(caller, mainId);
    const locked = byId(await this.merged.lockByIds(organizationId, [mainId, ...ids]));
    const main = orThrow(locked.get(mainId), findingNotFound);
    await this.unitOfWork.checkCondition();
    requireSeparable(main, locked, ids);
    const totals = new ChangesOfTotals();
    const reopened: number[] = [];
    const separated = await this.separation.save(organizationId, valuesOf(locked, ids));
    for (const { part, after } of separated) {
      totals.add(after.assetId, null, after);
      const isReopened = after.status !== part.status;
      if (isReopened) reopened.push(part.id);
      const comment = `Separated from #${mainId}.${isReopened ? ' It was seen again while it was merged.' : ''}`;
      await this.note(caller.actor, [after], comment, part.status);
      await this.history.addDueDate(part, after, 'As the SLA is now.');
    }
    await this.merged.separateEvents(organizationId, mainId, ids);
    await this.sightings.recount([mainId, ...ids], null);
    await totals.save(this.totals, organizationId);
    await this.note(caller.actor, [main], `Separated from it: ${numbersOf(ids)}.`);
    this.unitOfWork.note({ metadata: { separated: ids, ...(reopened.length > 0 && { reopened }) } });
  }

  private async lockOrganizationOf(caller: Caller, id: number): Promise<number> {
    const organizationId = orThrow(await this.merged.findOrganization(caller.scope, id), findingNotFound);
    this.unitOfWork.note({ organizationId, resourceId: String(id) });
    caller.requireRole('member', organizationId);
    await this.organizations.lockForCounting(caller.scope, organizationId);
    return organizationId;
  }

  private async note(
    actor: Actor,
    findings: readonly ScannedFinding[],
    comment: string,
    previousStatus?: ScannedFinding['status'],
  ): Promise<void> {
    for (const finding of findings)
      await this.history.add(actor, { ...finding, previousStatus: previousStatus ?? finding.status }, comment);
  }
}

const byId = (findings: readonly ScannedFinding[]): Map<number, ScannedFinding> =>
  new Map(findings.map((finding) => [finding.id, finding]));

const valuesOf = (findings: ReadonlyMap<number, ScannedFinding>, ids: readonly number[]): ScannedFinding[] =>
  ids.flatMap((id) => findings.get(id) ?? []);

const numbersOf = (ids: readonly number[]): string => ids.map((id) => `#${id}`).join(', ');
