import { type Baseline, decisiveKey, knownPages } from './baseline';
import { type Check, isWebCheck, type Observation, sendsAllRequests } from './check';
import { NOTHING_GIVEN, observe } from './observe';
import type { Page } from './page';
import { TargetProbe } from './probe';
import type { ProbeMemory } from './probe-memory';
import type { ProbeSession } from './probe-session';
import { blockReason } from './response-trust';
import { differenceOf, snapshot } from './snapshot';
import type { Target } from './target';

class NothingIsSent extends Error {}

/** Answers from memory only. */
class ReplayedProbe extends TargetProbe {
  override requestPage(): Promise<Page> {
    return Promise.reject(new NothingIsSent());
  }

  override tls(): never {
    throw new NothingIsSent();
  }
}

/** Whether the page itself showed the weakness: as the control, or as the response to the decisive request. */
const isDecisive = (check: Check, before: Baseline, page: Page): boolean =>
  before.on === 'web' &&
  isWebCheck(check) &&
  !sendsAllRequests(check, before) &&
  (before.decisive.kind === 'page' || decisiveKey(before) === `GET ${new URL((page.hops[0] ?? page).url).pathname}`);

/** Whether it is the current page or the page with the weakness. */
async function isTestedPage(page: Page, known: Page, { behavior }: ProbeSession, before: Baseline): Promise<boolean> {
  const now = await snapshot(page);
  const pages = before.on === 'web' ? knownPages(before, behavior.identity) : [];
  return [await snapshot(known), ...pages].some((one) => differenceOf(one, now) === null);
}

/**
 * Looks for the weakness in a page that was requested for another reason, such as to vary the order of requests. Sends nothing.
 * Null if the page does not show it or is not the tested page.
 */
export async function seenInPage(
  check: Check,
  place: Target,
  page: Page | null,
  session: ProbeSession,
  before: Baseline,
  memory: ProbeMemory | null,
): Promise<Observation | null> {
  const known = memory?.control.page ?? null;
  if (page === null || memory === null || known === null || !isDecisive(check, before, page)) return null;
  // A control that is no longer the page of the baseline proves nothing, and the page of a firewall lacks everything.
  if (memory.control.controlFailure !== null) return null;
  if (blockReason(page) !== null || !(await isTestedPage(page, known, session, before))) return null;
  const answers = new Map(memory.replay.answers);
  const key = decisiveKey(before);
  if (key !== null) answers.set(key, page);
  const replay = { ...memory.replay, decisive: { kind: 'page' } as const, answers };
  const probe = new ReplayedProbe(place, session.transport, session.via, { replay, uncached: null });
  try {
    const seen = await observe(check, place, probe, { ...memory.control, page }, session, before, NOTHING_GIVEN, true);
    return seen.state === 'vulnerable' ? seen : null;
  } catch (error) {
    if (error instanceof NothingIsSent) return null;
    throw error;
  }
}
