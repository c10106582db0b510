import { type VerificationResult, WAITING } from '../../findings/domain/verification';
import { refusalsNotStored } from './import-status';

/** How many findings were not tested for a reason. */
export interface UntestedReason {
  readonly reason: string;
  readonly findings: number;
}

/** The numbers that describe what became of the findings of an import. */
export interface ImportSummary {
  readonly imported: number;
  readonly tested: number;
  /** Findings whose tests have not ended. */
  readonly waiting: number;
  /** The most frequent reason first. */
  readonly untested: readonly UntestedReason[];
  readonly sentence: string;
}

interface Summarized {
  readonly ignoredColumns: readonly string[];
  readonly dryRun: boolean;
  readonly rowsNew: number;
  readonly rowsSeenAgain: number;
  readonly rowsReopened: number;
  readonly rowsUnchanged: number;
  readonly rowsRefused: number;
  readonly rowsContradicting: number;
  readonly retestsStarted: number;
  readonly verification: Readonly<Partial<Record<VerificationResult, number>>>;
  /** Includes findings whose tests were requested, and the others. */
  readonly untestedReasons: readonly UntestedReason[];
  readonly untested: readonly UntestedReason[];
}

const text = (count: number): string => count.toLocaleString('en');

const plural = (count: number, one: string, many: string): string => `${text(count)} ${count === 1 ? one : many}`;

/** Example: 1,204 imported, 377 new; 212 tested: 61 confirmed, 148 refuted, 3 inconclusive; 980 not tested. */
export function summaryOfImport(one: Summarized): ImportSummary {
  const { confirmed = 0, refuted = 0, inconclusive = 0 } = one.verification;
  const imported = one.rowsNew + one.rowsSeenAgain + one.rowsReopened + one.rowsUnchanged;
  const tested = confirmed + refuted + inconclusive;
  const waiting = one.untestedReasons.find(({ reason }) => reason === WAITING)?.findings ?? 0;
  const untested = merged([...one.untestedReasons.filter(({ reason }) => reason !== WAITING), ...one.untested]);
  const notTested = untested.reduce((sum, { findings }) => sum + findings, 0);
  const results = `${text(confirmed)} confirmed, ${text(refuted)} refuted, ${text(inconclusive)} inconclusive`;
  const notStored = refusalsNotStored(one);
  const parts = one.dryRun
    ? [`${text(imported)} would be imported, ${text(one.rowsNew)} new`]
    : [
        `${text(imported)} imported, ${text(one.rowsNew)} new`,
        `${text(tested)} tested${tested === 0 ? '' : `: ${results}`}`,
        ...(waiting === 0 ? [] : [plural(waiting, 'waits for its test', 'wait for their tests')]),
        ...(notTested === 0 ? [] : [`${text(notTested)} not tested`]),
      ];
  const refused = notStored === 0 ? [] : [`${text(one.rowsRefused)} refused, ${text(notStored)} of them not listed`];
  const contradicting =
    one.rowsContradicting === 0
      ? []
      : [
          `${plural(one.rowsContradicting, 'row contradicts', 'rows contradict')} resolved findings${one.dryRun ? '' : `, ${plural(one.retestsStarted, 'retest', 'retests')} started`}`,
        ];
  const ignored = one.ignoredColumns.length === 0 ? [] : [ignoredText(one.ignoredColumns)];
  return {
    imported,
    tested,
    waiting,
    untested,
    sentence: `${[...parts, ...contradicting, ...refused, ...ignored].join('; ')}.`,
  };
}

const MAX_NAMED_COLUMNS = 5;

function ignoredText(columns: readonly string[]): string {
  const others = columns.length - MAX_NAMED_COLUMNS;
  const named = columns.slice(0, MAX_NAMED_COLUMNS).join(', ');
  return `${plural(columns.length, 'column', 'columns')} not read: ${named}${others > 0 ? ` and ${text(others)} more` : ''}`;
}

function merged(reasons: readonly UntestedReason[]): UntestedReason[] {
  const counts = new Map<string, number>();
  for (const { reason, findings } of reasons) counts.set(reason, (counts.get(reason) ?? 0) + findings);
  return [...counts]
    .map(([reason, findings]) => ({ reason, findings }))
    .toSorted((one, other) => other.findings - one.findings);
}
