import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { system } from '../../../platform/api/caller';
import { everything } from '../../../platform/api/scope';
import { isDoubt, resultPlaceOf, type ScannedAsset, ScannedAssetsService, siteOf } from '../../assets';
import { FindingMovesService } from '../../findings';

/** How many findings of an asset were, or would be, moved, merged or kept, and the asset that they belong to. */
export interface Misplaced {
  readonly outcome: 'move' | 'moved' | 'merged' | 'left' | 'no_asset';
  readonly from: string;
  readonly to: string;
  readonly findings: number;
}

const scope = everything('the operator moves findings of all organizations');

const BATCH = 200;

/** Moves findings that imports of earlier versions, which ignored ports and paths, assigned to the wrong one of several URLs. */
@Injectable()
export class MisplacedFindings {
  constructor(
    private readonly assets: ScannedAssetsService,
    private readonly findings: FindingMovesService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Works in batches, each with an audit entry of the organization. Changes nothing unless `applies` is true. */
  async check(organizationId: number, applies: boolean): Promise<Misplaced[]> {
    const found = new Map<string, Misplaced>();
    const note = (outcome: Misplaced['outcome'], from: string, to: string): void => {
      const key = `${outcome} ${from} ${to}`;
      found.set(key, { outcome, from, to, findings: (found.get(key)?.findings ?? 0) + 1 });
    };
    const entry = {
      operation: 'finding.move',
      resourceType: 'organization',
      resourceId: String(organizationId),
    } as const;
    const read: { last: number | null } = { last: 0 };
    while (read.last !== null) {
      const after = read.last;
      const run = async (): Promise<number[] | undefined> => {
        if (applies) await this.findings.lock(organizationId);
        const { last, moves, homeless } = await this.nextBatch(organizationId, after);
        read.last = last;
        for (const { from, to } of homeless) note('no_asset', from, to);
        const changed: number[] = [];
        for (const { id, from, to } of moves) {
          const outcome = applies ? await this.findings.move(organizationId, id, to) : 'move';
          if (outcome === 'moved' || outcome === 'merged') changed.push(id);
          note(outcome, from, to.value);
        }
        this.unitOfWork.note({ metadata: { findings: changed, via: 'cli' } });
        return changed.length === 0 ? undefined : changed;
      };
      await this.unitOfWork.runIfDue({ ...entry, actor: system, organizationId }, scope, run);
    }
    return [...found.values()];
  }

  private async nextBatch(organizationId: number, after: number) {
    const listed = await this.findings.listOnUrls(organizationId, after, BATCH);
    const placed = listed.flatMap((finding) => {
      const place = resultPlaceOf(finding.place);
      return place === null ? [] : [{ ...finding, place }];
    });
    const places = placed.map(({ place }) => place);
    const assets = await this.assets.find(organizationId, places);
    const moves: { id: number; from: string; to: ScannedAsset }[] = [];
    const homeless: { from: string; to: string }[] = [];
    for (const { id, assetId, assetValue: from, beaconId, place } of placed) {
      const answer = assets.get(place);
      if (answer === undefined) continue;
      if (isDoubt(answer)) {
        if (answer.why === 'other_port') homeless.push({ from, to: siteOf(place) });
      } else if (answer.asset.id !== assetId && answer.asset.beaconId === beaconId) {
        moves.push({ id, from, to: answer.asset });
      }
    }
    return { moves, homeless, last: listed.length < BATCH ? null : (listed.at(-1)?.id ?? null) };
  }
}
