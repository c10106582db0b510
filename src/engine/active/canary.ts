import { type ProbeSession } from '../probe-session';
import type { WebTarget } from '../target';
import { randomWord } from './experiment';
import type { Canary, InsertionPoint } from './experiment-record';
import { requestWith } from './insertion-point';

/** Two requests: as it was found, and with a word. */
export async function takeCanary(point: InsertionPoint, place: WebTarget, session: ProbeSession): Promise<Canary> {
  const probe = session.probe(place);
  const word = randomWord();
  const original = await probe.requestPage(requestWith(point, point.value));
  const answer = await probe.requestPage(requestWith(point, word));
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
