import type { Assessment } from './assess';
import { endOf } from './transport/exchange';
import type { Verdict } from './verdict';

type State = Assessment['observation']['state'];

/** The states that decide each result. A refusal may count as fixed. */
const STATES: Readonly<Partial<Record<Verdict['result'], readonly State[]>>> = {
  fixed: ['not_vulnerable', 'blocked'],
  still_vulnerable: ['vulnerable'],
};

/** When the deciding response of a probe arrived. */
export const momentOf = ({ decided, exchanges, started }: Assessment): string => decided ?? endOf(exchanges) ?? started;

/**
 * When the deciding response arrived. For `fixed`, that is the last response without the weakness. Null if nothing was decided.
 */
export function decidedAt(verdict: Verdict, probes: readonly Assessment[]): string | null {
  const states = STATES[verdict.result];
  if (states === undefined) return null;
  const last = probes.findLast(
    ({ kind, observation: { state } }) =>
      states.includes(state) && (state === 'vulnerable' || kind === 'probe' || kind === 'repeat'),
  );
  return last === undefined ? null : momentOf(last);
}
