import type { Severity } from '../../../kernel/severity';
import type { ComparedState, SnapshotComparison } from '../domain/report-comparison';
import type { ReportSnapshot } from '../domain/report-snapshot';
import { byUrgency } from '../domain/snapshot-totals';
import { dispositionOf } from './disposition';
import { placeText } from './finding-location';
import { formatDay, formatMoment, grouped, pluralize, statusLabel } from './text-format';

/** A cell of a table that both formats show. */
export type ChapterCell =
  | { readonly severity: Severity }
  /** The number and the title; linked if the document has the finding. */
  | { readonly id: number; readonly title: string; readonly isLinked: boolean }
  | { readonly text: string };

/** A chapter that is a table. PDF and HTML show the same texts. */
export interface TableChapter {
  readonly lead: string;
  readonly notes: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly ChapterCell[])[];
  /** A sentence about the rows for which the table has no room. */
  readonly rest: string | null;
}

/** The tables are for reading. The JSON format has everything. */
const MAX_ROWS = 200;

/** `count` is the number of all rows, if they are more than these. */
function tableOf({
  count,
  ...chapter
}: Omit<TableChapter, 'rest' | 'notes'> &
  Partial<Pick<TableChapter, 'notes'>> & { readonly count?: number }): TableChapter {
  const { rows } = chapter;
  const rest = (count ?? rows.length) - MAX_ROWS;
  return {
    notes: [],
    ...chapter,
    rows: rows.slice(0, MAX_ROWS),
    rest: rest > 0 ? `${pluralize(rest, 'more finding')}. The JSON format has all of them.` : null,
  };
}

const linkedIn = ({ options, findings }: ReportSnapshot): ((id: number) => boolean) => {
  const ids = new Set(options.sections.includes('findings') ? findings.map(({ id }) => id) : []);
  return (id) => ids.has(id);
};

/** What is to be fixed, in which order, by whom and until when. */
export function planOf(snapshot: ReportSnapshot): TableChapter {
  const isLinked = linkedIn(snapshot);
  const open = snapshot.findings.filter(({ status }) => dispositionOf(status) === 'open').toSorted(byUrgency);
  const today = snapshot.taken.slice(0, 10);
  const late = open.filter(({ due_date }) => due_date !== null && due_date < today).length;
  const unowned = open.filter(({ assignee }) => assignee === null).length;
  const all = snapshot.totals.open;
  const which = open.length < all ? `Of the ${grouped(open.length)} most urgent, ` : '';
  return tableOf({
    lead:
      open.length === 0
        ? 'No finding of this report is open.'
        : `${pluralize(all, 'open finding')}, by priority. ${which}${grouped(unowned)} ${unowned === 1 ? 'has' : 'have'} no owner, and ${grouped(late)} ${late === 1 ? 'is' : 'are'} past the due date.`,
    columns: ['Priority', 'Severity', 'Finding', 'Asset', 'Owner', 'Due'],
    count: all,
    rows: open.map(({ id, title, severity, priority, asset_value, beacon, assignee, due_date }) => [
      { text: `${priority} of 5` },
      { severity },
      { id, title, isLinked: isLinked(id) },
      { text: placeText(asset_value, beacon) },
      { text: assignee ?? 'Nobody yet' },
      { text: due_date === null ? 'No date' : `${formatDay(due_date)}${due_date < today ? ', late' : ''}` },
    ]),
  });
}

const STATES: Readonly<Record<ComparedState, string>> = {
  regressed: 'Back again',
  new: 'New',
  still_open: 'Still open',
  fixed: 'Fixed',
  set_aside: 'Set aside',
};

const countsText = (counts: SnapshotComparison['counts']): string =>
  Object.entries(STATES)
    .map(([state, label]) => `${counts[state as ComparedState]} ${label.toLowerCase()}`)
    .join(', ');

/** Null unless the order names an earlier report. */
export function comparisonOf(snapshot: ReportSnapshot): TableChapter | null {
  const { comparison, findings } = snapshot;
  if (comparison === null) return null;
  const isLinked = linkedIn(snapshot);
  const beacons = new Map(findings.map(({ id, beacon }) => [id, beacon]));
  return tableOf({
    lead: `Since report ${comparison.report_id} of ${formatMoment(comparison.taken)}: ${countsText(comparison.counts)}.`,
    notes: comparison.notes,
    columns: ['Result', 'Severity', 'Finding', 'Asset', 'Then', 'Now'],
    rows: comparison.findings.map(({ id, title, severity, asset_value, state, was, is }) => [
      { text: STATES[state] },
      { severity },
      { id, title, isLinked: isLinked(id) },
      { text: placeText(asset_value, beacons.get(id) ?? null) },
      { text: was === null ? '–' : statusLabel(was) },
      { text: statusLabel(is) },
    ]),
  });
}

/** Null if the report has all findings of its subject. */
export function leftOutChapterOf({ totals, left_out }: ReportSnapshot): TableChapter | null {
  if (totals.left_out === 0) return null;
  const unnamed = totals.left_out - left_out.length;
  return tableOf({
    lead: `${pluralize(totals.left_out, 'finding')} of the subject ${totals.left_out === 1 ? 'is' : 'are'} not in this report.`,
    notes: unnamed > 0 ? [`${unnamed} of them are not named, because a report names at most ${left_out.length}.`] : [],
    columns: ['Severity', 'Finding', 'Asset', 'Why it is left out'],
    rows: left_out.map(({ id, title, severity, asset_value, reasons }) => [
      { severity },
      { id, title, isLinked: false },
      { text: asset_value },
      { text: reasons.join(' ') },
    ]),
  });
}
