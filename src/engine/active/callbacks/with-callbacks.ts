import type { CallbackSyntax } from '../../callbacks';
import type { Experiment, Oracle } from '../experiment';
import type { Outcome } from '../outcome';
import { CallbackTest, type CallKind, NO_LISTENER } from './callback-test';

const isVariantOf = (syntaxes: readonly CallbackSyntax[], { variant }: Experiment): boolean =>
  syntaxes.some(({ id }) => id === variant);

/** Null if the listener shows nothing. */
async function called(
  experiment: Experiment,
  syntaxes: readonly CallbackSyntax[],
  kind?: CallKind,
): Promise<Outcome | null> {
  const { callbacks } = experiment.probe;
  const isOwn = isVariantOf(syntaxes, experiment);
  if (callbacks === undefined) return isOwn ? { state: 'disturbed', reason: NO_LISTENER } : null;
  const test = new CallbackTest(experiment, syntaxes, callbacks, kind);
  return isOwn ? test.verification() : test.outcome();
}

/** What an oracle cannot see in responses may call the listener. It is asked only if the oracle proves nothing. */
export const withCallbacks = (oracle: Oracle, syntaxes: readonly CallbackSyntax[]): Oracle => ({
  ...oracle,
  callbacks: syntaxes,
  async observe(experiment) {
    if (isVariantOf(syntaxes, experiment)) {
      const verified = await called(experiment, syntaxes);
      if (verified === null || verified.state === 'proved' || experiment.isRepeat)
        return verified ?? oracle.observe(experiment);
      const other = await oracle.observe(experiment);
      return other.state === 'proved' ? other : verified;
    }
    const seen: Outcome =
      experiment.prior.isBlind === true ? { state: 'sound', detail: '' } : await oracle.observe(experiment);
    if (seen.state === 'proved' || experiment.variant !== null) return seen;
    const outcome = await called(experiment, syntaxes);
    return outcome?.state === 'proved' ? outcome : seen;
  },
});

const NOT_TESTABLE =
  'not testable from here: nothing of the target has called the listener in this test, which does not show that it could';
const WITHOUT =
  'not testable from here: no listener of callbacks is configured, or the target is behind a beacon, whose network has none';
const BY_HEADER = 'programs that look at statistics open the addresses in headers, so their calls show nothing';

/** Only calls show the weakness. */
export const callbacksAlone = (
  syntaxes: readonly CallbackSyntax[],
  detail: string,
  kind: CallKind = 'http',
): Oracle => ({
  callbacks: syntaxes,
  measuresTime: true,
  async observe(experiment) {
    const { callbacks } = experiment.probe;
    if (experiment.point.kind === 'header') return { state: 'disturbed', reason: BY_HEADER, hasNoSubject: true };
    const outcome = await called(experiment, syntaxes, kind);
    if (outcome !== null) return outcome;
    if (callbacks === undefined) return { state: 'disturbed', reason: WITHOUT, hasNoSubject: true };
    return callbacks.isReached
      ? { state: 'sound', detail }
      : { state: 'disturbed', reason: NOT_TESTABLE, hasNoSubject: true };
  },
});
