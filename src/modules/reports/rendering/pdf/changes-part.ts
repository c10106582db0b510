import type { ReportSnapshot } from '../../domain/report-snapshot';
import { changesOf } from '../changes';
import { truncated } from '../text-format';
import type { DirectedText, FontFallback } from './font-fallback';

const MAX_LENGTH = 400;

export interface ChangesPart {
  readonly lead: string;
  readonly rows: readonly { readonly asset: DirectedText; readonly text: DirectedText; readonly date: string }[];
}

export function changesPartOf(snapshot: ReportSnapshot, fonts: FontFallback): ChangesPart | null {
  const found = changesOf(snapshot);
  return (
    found && {
      lead: found.lead,
      rows: found.rows.map(({ asset, text, date }) => ({
        asset: fonts.paragraph(truncated(asset, MAX_LENGTH), 18),
        text: fonts.paragraph(truncated(text, MAX_LENGTH), 24),
        date,
      })),
    }
  );
}
