import type { ReportSnapshot } from '../../domain/report-snapshot';
import {
  checksOf,
  checkTitle,
  cweAddress,
  methodologyOf,
  owaspText,
  type StandardUse,
  STANDARDS,
} from '../methodology';
import type { DirectedText, FontFallback } from './font-fallback';
import type { BreakableText } from './line-breaks';

export interface MethodologyPart {
  readonly parts: readonly {
    readonly title: string;
    readonly paragraphs: readonly DirectedText[];
    readonly items: readonly DirectedText[];
  }[];
  readonly checks: readonly {
    readonly title: DirectedText;
    readonly id: BreakableText;
    readonly cwe: { readonly text: string; readonly address: string } | null;
    readonly owasp: string;
    readonly completed: string;
    readonly notCompleted: string;
  }[];
  readonly standards: readonly StandardUse[];
}

export const methodologyPartOf = (snapshot: ReportSnapshot, fonts: FontFallback): MethodologyPart => ({
  parts: methodologyOf(snapshot).map(({ title, paragraphs, items }) => ({
    title,
    paragraphs: paragraphs.map((text) => fonts.paragraph(text)),
    items: items.map((text) => fonts.paragraph(text)),
  })),
  checks: checksOf(snapshot).map((check) => ({
    title: fonts.paragraph(checkTitle(check), 24),
    id: fonts.inlineCode(check.id, 20),
    cwe: check.cwe === null ? null : { text: String(check.cwe), address: cweAddress(check.cwe) },
    owasp: owaspText(check),
    completed: String(check.completed),
    notCompleted: String(check.not_completed),
  })),
  standards: STANDARDS,
});
