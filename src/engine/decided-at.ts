import type { Assessment } from './assess';
import { endOf } from './transport/exchange';
import type { Verdict } from './verdict';

const STATES: Readonly<Partial<Record<Verdict['result'], Assessment['observation']['state']>>> = {
  fixed: 'not_vulnerable',
  still_vulnerable: 'vulnerable',
};

/** When the response arrived that decided a probe. */
export const momentOf = ({ decided, exchanges, started }: Assessment): string => decided ?? endOf(exchanges) ?? started;

/** When the response arrived that decided: of `fixed` the last that showed nothing. Null if nothing was decided. */
export function decidedAt(verdict: Verdict, probes: readonly Assessment[]): string | null {
  const state = STATES[verdict.result];
  if (state === undefined) return null;
  const last = probes.findLast(
    ({ kind, observation }) =>
      observation.state === state && (state === 'vulnerable' || kind === 'probe' || kind === 'repeat'),
  );
  return last === undefined ? null : momentOf(last);
}
