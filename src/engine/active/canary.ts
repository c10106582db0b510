import type { Page } from '../page';
import { type ProbeSession } from '../probe-session';
import type { WebTarget } from '../target';
import { randomWord } from './experiment';
import { type InsertionPoint, isOutsideOfCaches, requestWith } from './insertion-point';

/** How an application treats a harmless word at a point, so that checks which cannot see anything there are left out. */
export interface Canary {
  /** The word came back in the body, in a header, or in the address of a redirect. */
  readonly reflected: boolean;
  /** The answer differs from that to the original value in more than the value. */
  readonly changes: boolean;
  readonly answer: Page;
  /** The answer to the original value. */
  readonly original: Page;
}

/** Two requests: as it was found, and with a word. */
export async function takeCanary(point: InsertionPoint, place: WebTarget, session: ProbeSession): Promise<Canary> {
  const probe = session.probe(place);
  const word = randomWord();
  // A cache that does not look at headers or cookies would keep the word for everybody.
  const fresh = isOutsideOfCaches(point);
  const original = await probe.requestPage({ ...requestWith(point, point.value), fresh });
  const answer = await probe.requestPage({ ...requestWith(point, word), fresh });
  // Some applications cut off a character at an end.
  const middle = word.slice(1, -1);
  const isIn = (text: string): boolean => text.toLowerCase().includes(middle);
  const asOriginal = answer.text.replaceAll(word, point.value);
  return {
    reflected: isIn(answer.text) || answer.headers.fields.some(([, value]) => isIn(value)),
    changes: answer.status !== original.status || asOriginal !== original.text,
    answer,
    original,
  };
}
