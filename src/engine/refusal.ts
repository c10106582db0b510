import { differenceOf, isSameAnswer, type Snapshot } from './snapshot';

/** What refused the decisive request, and how its twin was answered. Plain JSON. */
export interface Refusal {
  /** Method and path, as in the keys of baselines. */
  readonly path: string;
  readonly twin: string;
  readonly status: number;
  readonly twinStatus: number;
  readonly answer: Snapshot;
  readonly twinAnswer: Snapshot;
  /** The page of the control at this moment. */
  readonly page: Snapshot;
  /** The site's own server answered, not a firewall, a limiter, an outage or a sign-in. */
  readonly isOwn: boolean;
}

/** A refusal that a user has confirmed to be the fix. */
export interface ConfirmedRefusal {
  readonly by: number;
  readonly at: string;
  /** Absent in those of earlier versions. */
  readonly reason?: string;
  readonly refusal: Refusal;
}

/** Whether a request is still refused as it was, while the page and the twin still get what they got then. */
export const isSameRefusal = (before: Refusal, now: Refusal): boolean =>
  before.path === now.path &&
  isSameAnswer(before.answer, now.answer) &&
  isSameAnswer(before.twinAnswer, now.twinAnswer) &&
  differenceOf(before.page, now.page) === null;
