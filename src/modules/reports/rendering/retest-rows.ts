import { capitalized } from '../../../kernel/capitalized';
import type { ReportSnapshot } from '../domain/report-snapshot';
import { formatDay, joinWithAnd, labelOf, pluralize, resultLabelOf } from './text-format';

/** A row of the table of retests. Both formats show it. */
export interface RetestRow {
  readonly findingId: number;
  readonly findingTitle: string;
  readonly date: string;
  /** The result, or the status of a retest without one, as the API names it. */
  readonly verdict: string;
  readonly verdictLabel: string;
  readonly reason: string | null;
  /** The check or the person that gave the verdict. */
  readonly by: string;
  readonly requests: number | null;
}

/** The retests of all findings, newest first. */
export const retestRowsOf = ({ findings }: ReportSnapshot): RetestRow[] =>
  findings
    .flatMap(({ id, title, retests }) =>
      retests.map((tested) => ({
        at: tested.finished ?? tested.created,
        row: {
          findingId: id,
          findingTitle: title,
          date: formatDay(tested.finished ?? tested.created),
          verdict: tested.result ?? tested.status,
          verdictLabel: resultLabelOf(tested),
          reason: tested.reason === null ? null : capitalized(tested.reason),
          by: tested.judged_by ?? (tested.check === null ? 'By hand' : `Assay, ${tested.check}`),
          requests: tested.requests,
        },
      })),
    )
    .toSorted((one, other) => Number(one.at < other.at) - Number(one.at > other.at))
    .map(({ row }) => row);

/** The table is for reading. The JSON format has every retest. */
const MAX_ROWS = 100;

export const shownRetests = (rows: readonly RetestRow[]): readonly RetestRow[] => rows.slice(0, MAX_ROWS);

/** How many retests there are, and with which results. */
export function retestsSentence(rows: readonly RetestRow[]): string {
  const count = (verdict: string): number => rows.filter((row) => row.verdict === verdict).length;
  const results = (['fixed', 'still_vulnerable', 'inconclusive', 'blocked'] as const)
    .map((verdict) => ({ verdict, count: count(verdict) }))
    .filter(({ count: many }) => many > 0)
    .map(({ verdict, count: many }) => `${many} ${labelOf(verdict).toLowerCase()}`);
  const counts = results.length === 0 ? '' : `: ${joinWithAnd(results)}`;
  const rest = rows.length > MAX_ROWS ? ` The table has the ${MAX_ROWS} newest.` : '';
  return `${pluralize(rows.length, 'retest')}${counts}.${rest}`;
}
