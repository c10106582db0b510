import { WAITING } from '../../findings';
import type { Import, UntestedReason } from '../data/import.entity';

/** What became of the findings of an import, in numbers. */
export interface ImportSummary {
  readonly imported: number;
  readonly tested: number;
  /** Their tests have not ended. */
  readonly waiting: number;
  /** The most frequent reason first. */
  readonly untested: readonly UntestedReason[];
  readonly sentence: string;
}

type Summarized = Pick<
  Import,
  'dryRun' | 'rowsNew' | 'rowsSeenAgain' | 'rowsReopened' | 'rowsUnchanged' | 'verification' | 'untested' | 'untestedReasons'
>;

const text = (count: number): string => count.toLocaleString('en');

const plural = (count: number, one: string, many: string): string => `${text(count)} ${count === 1 ? one : many}`;

/** 1,204 imported, 377 new; 212 tested: 61 confirmed, 148 refuted, 3 inconclusive; 980 not tested. */
export function summaryOfImport(one: Summarized): ImportSummary {
  const { confirmed = 0, refuted = 0, inconclusive = 0 } = one.verification;
  const imported = one.rowsNew + one.rowsSeenAgain + one.rowsReopened + one.rowsUnchanged;
  const tested = confirmed + refuted + inconclusive;
  const waiting = one.untestedReasons.find(({ reason }) => reason === WAITING)?.findings ?? 0;
  const untested = merged([...one.untestedReasons.filter(({ reason }) => reason !== WAITING), ...one.untested]);
  const notTested = untested.reduce((sum, { findings }) => sum + findings, 0);
  const results = `${text(confirmed)} confirmed, ${text(refuted)} refuted, ${text(inconclusive)} inconclusive`;
  const sentence = one.dryRun
    ? `${text(imported)} would be imported, ${text(one.rowsNew)} new`
    : [
        `${text(imported)} imported, ${text(one.rowsNew)} new`,
        `${text(tested)} tested${tested === 0 ? '' : `: ${results}`}`,
        ...(waiting === 0 ? [] : [plural(waiting, 'waits for its test', 'wait for their tests')]),
        ...(notTested === 0 ? [] : [`${text(notTested)} not tested`]),
      ].join('; ');
  return { imported, tested, waiting, untested, sentence: `${sentence}.` };
}

function merged(reasons: readonly UntestedReason[]): UntestedReason[] {
  const counts = new Map<string, number>();
  for (const { reason, findings } of reasons) counts.set(reason, (counts.get(reason) ?? 0) + findings);
  return [...counts]
    .map(([reason, findings]) => ({ reason, findings }))
    .toSorted((one, other) => other.findings - one.findings);
}
