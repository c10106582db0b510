import type { Severity } from '../../../../kernel/severity';
import type { ReportSnapshot } from '../../domain/report-snapshot';
import { LETTER_COLUMNS, letterOf } from '../letter';
import type { DirectedText, FontFallback } from './font-fallback';

export interface LetterPart {
  readonly kind: string;
  readonly title: DirectedText;
  readonly organization: DirectedText;
  readonly date: string;
  readonly paragraphs: readonly DirectedText[];
  readonly columns: readonly string[];
  readonly counts: readonly { readonly severity: Severity | null; readonly values: readonly string[] }[];
  readonly facts: readonly (readonly [label: string, lines: readonly DirectedText[]])[];
  readonly signatory: DirectedText;
  readonly notice: string;
}

export function letterPartOf(snapshot: ReportSnapshot, fonts: FontFallback): LetterPart {
  const { title, organization, paragraphs, counts, facts, signatory, ...plain } = letterOf(snapshot);
  return {
    ...plain,
    title: fonts.paragraph(title, 24),
    organization: fonts.paragraph(organization, 24),
    paragraphs: paragraphs.map((text) => fonts.paragraph(text)),
    columns: LETTER_COLUMNS,
    counts: counts.map(({ severity, open, resolved, set_aside, all }) => ({
      severity,
      values: [open, resolved, set_aside, all].map(String),
    })),
    facts: facts.map(([label, text]) => [label, [fonts.paragraph(text, 24)]]),
    signatory: fonts.paragraph(signatory, 24),
  };
}
