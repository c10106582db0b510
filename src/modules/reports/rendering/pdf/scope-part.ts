import type { ReportSnapshot, SnapshotScopeAsset } from '../../domain/report-snapshot';
import { dayOf } from '../html/words';
import type { Lettering, Shown } from './lettering';
import type { Pieces } from './line-breaks';
import { scopeSentence } from './sentences';

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

export function scopeOf(snapshot: ReportSnapshot, lettering: Lettering): ScopePart {
  const { in_scope, out_of_scope } = snapshot.scope;
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
    lead: scopeSentence(snapshot),
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
