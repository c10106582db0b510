import type { Assessment } from '../assess';
import type { SessionBaseline } from '../baseline';
import { inconclusive, notVulnerable, vulnerable } from '../check';
import type { ProbePolicy, Verdict } from '../probe-policy';
import type { Retested } from '../retest';
import { SessionEnded } from '../signed-in/account';
import { attemptsIn, exchangesOf, inWords, pathOf, roundsOf, type Tried, tryOut } from './session-series';
import type { TrialContext } from './session-trials';
import { type SessionDecision, sessionVerdict } from './session-verdict';

export interface SessionRetestRequest extends Omit<TrialContext, 'paths'> {
  readonly before: SessionBaseline;
  readonly policy?: ProbePolicy | undefined;
}

const ROUNDS = 6;

function probeOf(context: TrialContext, { decision, rows }: Tried): Assessment {
  const { state, because } = decision;
  const suspect = rows.find(({ as }) => as === 'suspect');
  return context.session.redacted({
    kind: 'probe',
    started: rows[0]?.at ?? new Date().toISOString(),
    ...(suspect !== undefined && { decided: suspect.at }),
    observation:
      state === 'open' ? vulnerable(because) : state === 'refused' ? notVulnerable(because) : inconclusive(because),
    controlFailure: null,
    answer: state === 'refused' && suspect !== undefined ? `${suspect.status}` : null,
    baseline: null,
    exchanges: exchangesOf(context, pathOf(context), rows),
  });
}

/** Whether what opened a session still does, in any of its variants. */
export async function retestSession(request: SessionRetestRequest): Promise<Retested> {
  const { before, policy, session } = request;
  const { kind, page } = before.session;
  const context = { ...request, paths: page === undefined ? [] : [page] };
  const probes: Assessment[] = [];
  const ended = (verdict: Verdict): Retested => ({
    verdict: session.redacted(verdict),
    probes,
    baseline: verdict.result === 'still_vulnerable' ? before : null,
    isSiteChanged: false,
    newSite: null,
  });
  const untested = (reason: string): Retested => ended({ result: 'inconclusive', reason });
  try {
    const attempts = await attemptsIn(kind, context);
    if (typeof attempts === 'string') return untested(`There is nothing to test any more: ${attempts}.`);
    const decisions: SessionDecision[] = [];
    let words = inWords(before.session);
    for (let turn = 0; turn < attempts.length || decisions.length < ROUNDS; turn += 1) {
      const attempt = attempts[turn % attempts.length];
      const tried = attempt === undefined ? 'no experiment' : await tryOut(kind, context, attempt, roundsOf(kind));
      if (typeof tried === 'string') return untested(`It could not be tested: ${tried}.`);
      for (const one of tried) {
        probes.push(probeOf(context, one));
        decisions.push(one.decision);
      }
      for (const probe of probes.slice(-tried.length)) policy?.onProbe?.(probe);
      const shown = decisions.at(-1)?.state;
      if (shown === 'open' && attempt !== undefined) words = inWords(attempt);
      // Further sign-ins would show no more.
      if (shown === 'open' || (shown === 'unclear' && tried.length > 1) || tried[0]?.rows.length === 0) break;
    }
    return ended(sessionVerdict(decisions, words));
  } catch (error) {
    if (!(error instanceof SessionEnded)) throw error;
    return untested(`the weakness was not tested in proved sessions, because ${error.message}`);
  }
}
