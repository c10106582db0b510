import { differenceOf, isSameAnswer, type Snapshot } from './snapshot';

/** The response that refused the decisive request, and the response to its twin. Plain JSON. */
export interface Refusal {
  /** Method and path, as in the keys of baselines. */
  readonly path: string;
  readonly twin: string;
  readonly status: number;
  readonly twinStatus: number;
  readonly answer: Snapshot;
  readonly twinAnswer: Snapshot;
  /** The control page at that time. */
  readonly page: Snapshot;
  /** Whether the site's own server answered, not a firewall, a rate limit, an outage or a login. */
  readonly isOwn: boolean;
}

/** A refusal that a user has confirmed as the fix. */
export interface ConfirmedRefusal {
  readonly by: number;
  readonly at: string;
  /** Absent in refusals from earlier versions. */
  readonly reason?: string;
  readonly refusal: Refusal;
}

/** Whether a request is still refused in the same way, while the page and the twin still get the same responses. */
export const isSameRefusal = (before: Refusal, now: Refusal): boolean =>
  before.path === now.path &&
  isSameAnswer(before.answer, now.answer) &&
  isSameAnswer(before.twinAnswer, now.twinAnswer) &&
  differenceOf(before.page, now.page) === null;
