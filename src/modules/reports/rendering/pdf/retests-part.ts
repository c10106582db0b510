import type { ReportSnapshot } from '../../domain/report-snapshot';
import { WORDS } from '../report-words';
import { retestRowsOf, retestsSentence, shownRetests } from '../retest-rows';
import { truncated } from '../text-format';
import type { DirectedText, FontFallback } from './font-fallback';
import type { BreakableText } from './line-breaks';

/** The finding shows them in full. */
const MAX_TITLE_LENGTH = 120;
const MAX_REASON_LENGTH = 400;

export interface RetestsPart {
  readonly lead: string;
  readonly rows: readonly {
    readonly id: number;
    readonly title: DirectedText;
    readonly date: string;
    /** The result as the API names it. */
    readonly kind: string;
    readonly verdict: BreakableText;
    readonly reason: DirectedText | null;
    readonly by: DirectedText;
    readonly requests: string;
  }[];
  /** Whether the findings are in the document, so that the rows can link to them. */
  readonly linked: boolean;
}

export function retestsPartOf(snapshot: ReportSnapshot, fonts: FontFallback): RetestsPart {
  const rows = retestRowsOf(snapshot);
  return {
    lead: rows.length === 0 ? WORDS.noRetests : retestsSentence(rows),
    rows: shownRetests(rows).map(({ findingId, findingTitle, date, verdict, verdictLabel, reason, by, requests }) => ({
      id: findingId,
      title: fonts.paragraph(truncated(findingTitle, MAX_TITLE_LENGTH), 14),
      date,
      kind: verdict,
      verdict: fonts.inline(verdictLabel, 12),
      reason: reason === null ? null : fonts.paragraph(truncated(reason, MAX_REASON_LENGTH), 18),
      by: fonts.paragraph(by, 14),
      requests: requests === null ? '–' : String(requests),
    })),
    linked: snapshot.options.sections.includes('findings'),
  };
}
