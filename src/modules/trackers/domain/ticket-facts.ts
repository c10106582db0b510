import { HOUR_MS, DAY_MS } from '../../../kernel/durations';
import type { AskedVerdict, FollowedState, SeenCategory, TicketFacts, Truth } from './ticket-states';

/** The last retest of a finding, as far as its ticket depends on it. */
export interface LastRetest {
  readonly uuid: string;
  readonly status: string;
  readonly result: 'fixed' | 'still_vulnerable' | 'blocked' | 'inconclusive' | null;
  readonly reason: string | null;
  readonly offer: 'site' | 'refusal' | null;
  readonly created: Date;
  readonly finished: Date | null;
}

export interface JudgedFinding {
  readonly status: number;
  readonly mergedInto: number | null;
  /** When a test last showed that it is fixed. */
  readonly fixedAt: Date | null;
  /** When a person last said by its status whether it is there. */
  readonly statedAt: Date | null;
}

const RESOLVED = 5;
const UNFINISHED: ReadonlySet<string> = new Set(['pending', 'in_progress']);
/** How long an admin has for accepting a risk. */
const ACCEPTANCE_MS = 7 * DAY_MS;

/** However often the ticket is closed and opened meanwhile. */
export const mayAsk = (asked: Date | null, now: Date): boolean =>
  asked === null || now.getTime() - asked.getTime() >= ACCEPTANCE_MS;

const isUnfinished = (retest: LastRetest | null): boolean => retest !== null && UNFINISHED.has(retest.status);

/** A status that a person has set to resolved proves nothing; a test, or an admin's verdict of a retest, does. */
export function truthOf({ status, mergedInto, fixedAt, statedAt }: JudgedFinding, retest: LastRetest | null): Truth {
  if (mergedInto !== null) return 'merged';
  if (status > RESOLVED) return 'accepted';
  if (status < RESOLVED) return 'open';
  const isSince = (date: Date | null): boolean => date !== null && (statedAt === null || date >= statedAt);
  return isSince(fixedAt) || (retest?.result === 'fixed' && isSince(retest.finished)) ? 'fixed' : 'open';
}

/** Of the retest that the ticket has asked for, or of one after it. */
export function verdictOf(asked: string | null, retest: LastRetest | null): AskedVerdict {
  if (asked === null || retest === null) return 'none';
  if (isUnfinished(retest)) return 'running';
  return retest.result ?? 'unfinished';
}

interface TicketSide {
  readonly state: FollowedState;
  readonly retest: string | null;
  readonly disagreements: number;
  readonly changed: Date;
}

export function ticketFacts(
  { state, retest: asked, disagreements, changed }: TicketSide,
  finding: JudgedFinding & { readonly hasCheck: boolean },
  retest: LastRetest | null,
  { seen, opensNew, now }: { readonly seen: SeenCategory; readonly opensNew: boolean; readonly now: Date },
): TicketFacts {
  const isRecent = retest !== null && now.getTime() - retest.created.getTime() < HOUR_MS;
  return {
    state,
    seen,
    truth: truthOf(finding, retest),
    verdict: verdictOf(asked, retest),
    hasCheck: finding.hasCheck,
    mayRetest: !isUnfinished(retest) && !isRecent,
    disagreements,
    isOverdue: now.getTime() - changed.getTime() >= ACCEPTANCE_MS,
    opensNew,
  };
}
