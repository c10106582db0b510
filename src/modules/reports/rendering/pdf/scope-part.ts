import type { ReportSnapshot, SnapshotScopeAsset } from '../../domain/report-snapshot';
import { formatDay } from '../text-format';
import type { FontFallback, DirectedText } from './font-fallback';
import type { BreakableText } from './line-breaks';
import { scopeSentence } from '../sentences';

interface AssetPart {
  readonly value: DirectedText;
  readonly description: DirectedText | null;
  readonly kind: BreakableText;
  readonly findings: string;
  readonly checks: string;
  /** Null where it never was. */
  readonly tested: string | null;
}

export interface ScopePart {
  readonly lead: string;
  readonly inScope: readonly AssetPart[];
  readonly outOfScope: readonly AssetPart[];
  readonly untested: readonly DirectedText[];
  readonly incomplete: readonly {
    readonly asset: DirectedText;
    readonly check: BreakableText;
    readonly location: BreakableText;
    readonly reason: DirectedText;
  }[];
}

export function scopeOf(snapshot: ReportSnapshot, fonts: FontFallback): ScopePart {
  const { in_scope, out_of_scope } = snapshot.scope;
  const part = (asset: SnapshotScopeAsset): AssetPart => ({
    value: fonts.paragraph(asset.value, 18),
    description:
      asset.description === null || asset.description.trim() === '' ? null : fonts.paragraph(asset.description, 18),
    kind: fonts.inline(asset.tier === null ? asset.type : `${asset.type}, tier ${asset.tier}`),
    findings: String(asset.findings),
    checks: String(asset.checks_completed),
    tested: asset.last_tested === null ? null : formatDay(asset.last_tested),
  });
  return {
    lead: scopeSentence(snapshot),
    inScope: in_scope.map(part),
    outOfScope: out_of_scope.map(part),
    untested: in_scope.filter(({ last_tested }) => last_tested === null).map(({ value }) => fonts.paragraph(value, 30)),
    incomplete: in_scope.flatMap(({ value, not_tested }) =>
      not_tested.map(({ check, location, reason }) => ({
        asset: fonts.paragraph(value, 14),
        check: fonts.inlineCode(check, 10),
        location: fonts.inlineCode(location, 12),
        reason: fonts.paragraph(reason, 18),
      })),
    ),
  };
}
