import type { OutboundAnswer } from '../outbound/outbound-requests';
import type { DeliveryState, PauseReason } from './vocabulary';

const SECOND_MS = 1_000;
const HOUR_S = 3_600;

/** Delays between attempts; the last one repeats. */
const PAUSES_S = [5, 30, 120, 600, 1_800, HOUR_S, 3 * HOUR_S, 6 * HOUR_S, 12 * HOUR_S];
/** The longest Retry-After that counts. */
const MAX_RETRY_AFTER_S = 12 * HOUR_S;
/** How long sending a message is tried, and a receiver may fail. */
export const MAX_FAILING_MS = 3 * 86_400_000;
/** An attempt without a result after this time has lost its worker. It is longer than a request may take. */
export const ATTEMPT_MS = 15 * SECOND_MS;

const GONE = 410;
const TOO_MANY = 429;
const UNAVAILABLE = 503;

/** What a webhook knows of its receiver. */
export interface ReceiverState {
  /** Since the last message that it has accepted. */
  readonly failingSince: Date | null;
  /** Attempts without an answer, one after the other. */
  readonly misses: number;
  /** Nothing is sent before this time. */
  readonly resumeAt: Date | null;
}

export interface Attempt {
  readonly answer: OutboundAnswer;
  readonly now: Date;
  /** The attempts for this message, including this one. */
  readonly attempts: number;
  readonly firstAttempt: Date;
  readonly receiver: ReceiverState;
}

export interface Outcome {
  readonly state: DeliveryState;
  /** While it waits. */
  readonly nextAttempt: Date | null;
  readonly receiver: ReceiverState;
  readonly pause?: PauseReason | undefined;
}

const pauseAfter = (attempts: number): number => PAUSES_S[Math.min(attempts, PAUSES_S.length) - 1] ?? 0;

const later = (now: Date, seconds: number): Date => new Date(now.getTime() + seconds * SECOND_MS);

const isOver = (since: Date, now: Date): boolean => now.getTime() - since.getTime() >= MAX_FAILING_MS;

export const isAccepted = (answer: OutboundAnswer): boolean =>
  'status' in answer && answer.status >= 200 && answer.status < 300;

/** Nothing but a 2xx is success. A receiver that does not answer, or asks for a pause, gets one for all of its messages. */
export function outcomeOf({ answer, now, attempts, firstAttempt, receiver }: Attempt): Outcome {
  if (isAccepted(answer))
    return { state: 'delivered', nextAttempt: null, receiver: { failingSince: null, misses: 0, resumeAt: null } };
  const { status, retryAfter = 0 } = 'status' in answer ? answer : {};
  const asked = Math.min(retryAfter, MAX_RETRY_AFTER_S);
  const misses = status === undefined ? receiver.misses + 1 : 0;
  const asksForPause = status === TOO_MANY || (status === UNAVAILABLE && asked > 0);
  const pauseOfAll = status === undefined ? pauseAfter(misses) : Math.max(asked, pauseAfter(1));
  const failingSince = receiver.failingSince ?? now;
  const pause = status === GONE ? 'gone' : isOver(failingSince, now) ? 'failing' : undefined;
  // The messages of a paused receiver wait until it is resumed.
  const isGivenUp = pause === undefined && isOver(firstAttempt, now);
  return {
    state: isGivenUp ? 'failed' : 'waiting',
    nextAttempt: isGivenUp ? null : later(now, Math.max(pauseAfter(attempts), asked)),
    receiver: {
      failingSince,
      misses,
      resumeAt: status === undefined || asksForPause ? later(now, pauseOfAll) : null,
    },
    pause,
  };
}

/** A test has one attempt, and says nothing about the receiver of other messages. */
export const outcomeOfTest = ({ answer, receiver }: Pick<Attempt, 'answer' | 'receiver'>): Outcome => ({
  state: isAccepted(answer) ? 'delivered' : 'failed',
  nextAttempt: null,
  receiver,
});
