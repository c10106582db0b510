import type { Assessment } from './assess';
import { endOf } from './transport/exchange';
import type { Verdict } from './verdict';

type State = Assessment['observation']['state'];

/** A refusal may count as fixed. */
const STATES: Readonly<Partial<Record<Verdict['result'], readonly State[]>>> = {
  fixed: ['not_vulnerable', 'blocked'],
  still_vulnerable: ['vulnerable'],
};

/** When the response arrived that decided a probe. */
export const momentOf = ({ decided, exchanges, started }: Assessment): string => decided ?? endOf(exchanges) ?? started;

/** When the response arrived that decided: of `fixed` the last that showed nothing. Null if nothing was decided. */
export function decidedAt(verdict: Verdict, probes: readonly Assessment[]): string | null {
  const states = STATES[verdict.result];
  if (states === undefined) return null;
  const last = probes.findLast(
    ({ kind, observation: { state } }) =>
      states.includes(state) && (state === 'vulnerable' || kind === 'probe' || kind === 'repeat'),
  );
  return last === undefined ? null : momentOf(last);
}
