import { type ProbeSession } from '../probe-session';
import type { WebTarget } from '../target';
import type { Page } from '../page';
import type { Canary, InsertionPoint } from '../experiment-record';
import { foundAs, requestWith } from './insertion-point';
import { randomWord } from '../twins';

/** All letters as percent-encoded bytes. A server that decodes nothing passes them on unchanged. */
const asBytes = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

/**
 * Sends two requests: the original one, and one with a random word. A third one shows whether a cookie is decoded, if the
 * response can show that.
 */
export async function takeCanary(point: InsertionPoint, place: WebTarget, session: ProbeSession): Promise<Canary> {
  const probe = session.probe(place);
  const word = randomWord();
  const original = await probe.requestPage(requestWith(point, point.value));
  const answer = await probe.requestPage(requestWith(point, word));
  const reflected = shows(answer, word);
  const changes = differs(answer, word, original, point.value);
  const canTell = point.kind === 'cookie' && (reflected || changes);
  return { reflected, changes, isRaw: canTell && (await arrivesEncoded()), word, answer, original };

  async function arrivesEncoded(): Promise<boolean> {
    const sent = reflected ? randomWord() : point.value;
    const encoded = await probe.requestPage(requestWith(foundAs(point, asBytes(sent)), point.value));
    return reflected ? !shows(encoded, sent) : differs(encoded, sent, original, sent);
  }
}

function shows({ text, headers }: Page, word: string): boolean {
  // Some applications cut off the first or last character.
  const isIn = (one: string): boolean => one.toLowerCase().includes(word.slice(1, -1));
  return isIn(text) || headers.fields.some(([, value]) => isIn(value));
}

const differs = (answer: Page, word: string, original: Page, value: string): boolean =>
  answer.status !== original.status || answer.text.replaceAll(word, value) !== original.text;
