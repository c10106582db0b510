import type { ReportSnapshot, SnapshotScopeAsset } from '../../domain/report-snapshot';
import { counted, dayOf } from '../html/words';
import type { Lettering, Pieces, Shown } from './lettering';

interface AssetPart {
  readonly value: Shown;
  readonly description: Shown | null;
  readonly kind: Pieces;
  readonly findings: string;
  readonly checks: string;
  /** Null where it never was. */
  readonly tested: string | null;
}

export interface ScopePart {
  readonly lead: string;
  readonly inScope: readonly AssetPart[];
  readonly outOfScope: readonly AssetPart[];
  readonly untested: readonly Shown[];
  readonly incomplete: readonly {
    readonly asset: Shown;
    readonly check: Pieces;
    readonly location: Pieces;
    readonly reason: Shown;
  }[];
}

/** How far the testing went. */
export const testedOf = (assets: readonly SnapshotScopeAsset[]) => {
  const tested = assets.filter(({ last_tested }) => last_tested !== null).length;
  return {
    tested,
    untested: assets.length - tested,
    incomplete: assets.reduce((sum, { not_tested }) => sum + not_tested.length, 0),
  };
};

export function scopeOf({ scope }: ReportSnapshot, lettering: Lettering): ScopePart {
  const { in_scope, out_of_scope } = scope;
  const part = (asset: SnapshotScopeAsset): AssetPart => ({
    value: lettering.words(asset.value, 18),
    description:
      asset.description === null || asset.description.trim() === '' ? null : lettering.words(asset.description, 18),
    kind: lettering.pieces(asset.tier === null ? asset.type : `${asset.type}, tier ${asset.tier}`),
    findings: String(asset.findings),
    checks: String(asset.checks_completed),
    tested: asset.last_tested === null ? null : dayOf(asset.last_tested),
  });
  return {
    lead: `${counted(in_scope.length, 'asset')} in scope, ${out_of_scope.length} out of scope. ${testedWords(in_scope)}`,
    inScope: in_scope.map(part),
    outOfScope: out_of_scope.map(part),
    untested: in_scope.filter(({ last_tested }) => last_tested === null).map(({ value }) => lettering.words(value, 30)),
    incomplete: in_scope.flatMap(({ value, not_tested }) =>
      not_tested.map(({ check, location, reason }) => ({
        asset: lettering.words(value, 14),
        check: lettering.inlineCode(check, 10),
        location: lettering.inlineCode(location, 12),
        reason: lettering.words(reason, 18),
      })),
    ),
  };
}

function testedWords(assets: readonly SnapshotScopeAsset[]): string {
  const { tested, untested } = testedOf(assets);
  if (assets.length === 0) return '';
  if (untested === 0) return 'All of those in scope were tested by the service.';
  if (tested === 0) return 'None of those in scope was tested by the service.';
  return `${tested} of those in scope ${tested === 1 ? 'was' : 'were'} tested by the service, ${untested} ${untested === 1 ? 'was' : 'were'} not.`;
}
