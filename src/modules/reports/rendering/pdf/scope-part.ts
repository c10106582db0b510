import type { ReportSnapshot, SnapshotScopeAsset } from '../../domain/report-snapshot';
import { formatDay, truncated } from '../text-format';
import type { FontFallback, DirectedText } from './font-fallback';
import type { BreakableText } from './line-breaks';
import { jobTestsOf } from '../job-result';
import { placeText } from '../finding-location';
import { scopeSentence } from '../sentences';

interface AssetPart {
  readonly value: DirectedText;
  readonly description: DirectedText | null;
  readonly kind: BreakableText;
  readonly findings: string;
  readonly checks: string;
  /** Null if it was never tested. */
  readonly tested: string | null;
}

export interface ScopePart {
  readonly lead: string;
  readonly rules: readonly DirectedText[];
  readonly assetsTitle: string;
  readonly inScope: readonly AssetPart[];
  /** Null for a subject without a scope. */
  readonly outOfScope: readonly AssetPart[] | null;
  /** Of a job. */
  readonly tests: {
    readonly lead: string;
    readonly rows: readonly {
      readonly title: DirectedText;
      readonly check: BreakableText;
      readonly location: BreakableText;
      readonly kind: string;
      readonly label: string;
      readonly reason: DirectedText | null;
    }[];
    readonly notes: readonly DirectedText[];
  } | null;
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
    value: fonts.paragraph(placeText(asset.value, asset.beacon), 18),
    description:
      asset.description === null || asset.description.trim() === '' ? null : fonts.paragraph(asset.description, 18),
    kind: fonts.inline(asset.tier === null ? asset.type : `${asset.type}, tier ${asset.tier}`),
    findings: String(asset.findings),
    checks: String(asset.checks_completed),
    tested: asset.last_tested === null ? null : formatDay(asset.last_tested),
  });
  return {
    lead: scopeSentence(snapshot),
    rules: (snapshot.event?.rules ?? []).map((rule) => fonts.paragraph(rule, 24)),
    assetsTitle: snapshot.subject === 'event' ? 'In scope' : 'Assets',
    inScope: in_scope.map(part),
    outOfScope: snapshot.subject === 'event' ? out_of_scope.map(part) : null,
    tests: testsOf(snapshot, fonts),
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

const MAX_TEXT_LENGTH = 400;

function testsOf(snapshot: ReportSnapshot, fonts: FontFallback): ScopePart['tests'] {
  const tests = jobTestsOf(snapshot);
  return tests === null
    ? null
    : {
        lead: tests.lead,
        rows: tests.rows.map(({ title, check, location, outcome, label, reason }) => ({
          title: fonts.paragraph(title, 24),
          check: fonts.inlineCode(check, 20),
          location: fonts.inlineCode(truncated(location, MAX_TEXT_LENGTH), 16),
          kind: outcome,
          label,
          reason: reason === null ? null : fonts.paragraph(truncated(reason, MAX_TEXT_LENGTH), 18),
        })),
        notes: tests.notes.map((note) => fonts.paragraph(note, 30)),
      };
}
