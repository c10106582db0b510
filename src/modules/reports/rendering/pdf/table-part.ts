import type { ReportSnapshot } from '../../domain/report-snapshot';
import { SECTION_TITLES, writtenBy } from '../report-words';
import type { ChapterCell, TableChapter } from '../table-chapters';
import { truncated } from '../text-format';
import type { DirectedText, FontFallback } from './font-fallback';
import { MAX_LISTED_LENGTH } from './finding-part';
import { blocksOf } from './markdown-blocks';
import type { Block } from './markdown-tree';

type CellPart =
  | { readonly severity: string }
  | { readonly id: number; readonly title: DirectedText; readonly isLinked: boolean }
  | { readonly text: DirectedText };

/** A chapter that is a table. */
export interface TablePart extends Omit<TableChapter, 'rows'> {
  readonly title: string;
  readonly rows: readonly (readonly CellPart[])[];
}

export function tablePartOf(
  name: keyof typeof SECTION_TITLES,
  chapter: TableChapter | null,
  fonts: FontFallback,
): TablePart | null {
  const short = (text: string, longest: number): DirectedText =>
    fonts.paragraph(truncated(text, MAX_LISTED_LENGTH), longest);
  const cellOf = (cell: ChapterCell): CellPart => {
    if ('severity' in cell) return cell;
    return 'text' in cell ? { text: short(cell.text, 12) } : { ...cell, title: short(cell.title, 18) };
  };
  return chapter && { ...chapter, title: SECTION_TITLES[name], rows: chapter.rows.map((row) => row.map(cellOf)) };
}

/** What a person wrote. */
export interface AssessmentPart {
  readonly author: DirectedText;
  readonly rating: DirectedText | null;
  readonly texts: readonly { readonly title: string; readonly blocks: readonly Block[] }[];
}

export const assessmentPartOf = ({ assessment }: ReportSnapshot, fonts: FontFallback): AssessmentPart | null =>
  assessment && {
    author: fonts.paragraph(writtenBy(assessment)),
    rating: assessment.rating === null ? null : fonts.paragraph(assessment.rating),
    texts: assessment.texts.map(({ title, md }) => ({ title, blocks: blocksOf(md, fonts) })),
  };
