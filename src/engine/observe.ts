import { type Baseline, decisiveKey, experimentOf } from './baseline';
import { type Check, isWebCheck, type Observation, type WebSubject } from './check';
import type { Control } from './control';
import { isForMissingPath, type TargetProbe } from './probe';
import type { ProbeSession } from './probe-session';
import type { SentRequest } from './sent-request';
import { isWeb, locationOf, type Target } from './target';

/** What is known about a weakness when there is no baseline. */
export interface Given {
  /** Paths with queries that showed the weakness. */
  readonly shown: readonly string[];
  /** The point to test. */
  readonly experiment: WebSubject['experiment'];
  /** Called when the weakness no longer shows as it did. */
  readonly goOn?: (() => void) | undefined;
}

export const NOTHING_GIVEN: Given = { shown: [], experiment: null };

/** The path and query of the decisive request; null if it was for a random path. */
export function decisivePath(before: Baseline | null): string | null {
  if (before?.on === 'web' && before.decisive.kind === 'http' && before.decisive.request !== undefined)
    return before.decisive.request.path;
  const key = decisiveKey(before);
  return key === null || isForMissingPath(key) ? null : (/^GET (\S+)/.exec(key)?.[1] ?? null);
}

/** The paths and queries of the check's requests that got a response when the weakness was seen. */
export const shownPaths = (before: Baseline | null): readonly string[] =>
  before?.on === 'web' ? Object.keys(before.answers).flatMap((key) => /^GET (\S+)$/.exec(key)?.[1] ?? []) : [];

/** The request with which another check provoked the weakness, or all such requests of a job. */
function provokingRequests(before: Baseline | null, session: ProbeSession): readonly SentRequest[] {
  const decisive = before?.on === 'web' ? before.decisive : null;
  if (decisive?.kind !== 'http') return session.provoking;
  return decisive.request === undefined ? [] : [decisive.request];
}

/** Lets a check make its probe. */
export function observe(
  check: Check,
  target: Target,
  probe: TargetProbe,
  { page, earlier }: Control,
  session: ProbeSession,
  before: Baseline | null,
  given: Given,
  isRepeat: boolean,
): Observation | Promise<Observation> {
  if (!isWebCheck(check)) {
    const alias = before?.on === 'dns' ? (before.alias ?? null) : null;
    return check.observe({ target, probe, isRetest: before !== null, alias });
  }
  if (page === null || !isWeb(target)) throw new Error(`${check.id} needs a page and was given ${locationOf(target)}`);
  const links = async (): Promise<readonly URL[]> => (before === null ? session.links(target) : []);
  const shown = before === null ? given.shown : shownPaths(before);
  return check.observe({
    target,
    page,
    earlier,
    probe,
    links,
    seen: decisivePath(before),
    shown,
    provoking: check.runsLast === true ? provokingRequests(before, session) : [],
    experiment: experimentOf(before, session.behavior.identity) ?? given.experiment,
    isRepeat,
    names: before?.on === 'web' ? (before.names ?? []) : null,
    report: session.report(check),
  });
}
