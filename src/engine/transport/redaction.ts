import { redact, RULES_FOR_SENTENCES } from '../../kernel/redact';
import type { SecretValues } from './secret-values';

/** How much of a message is kept. */
const KEPT_LENGTH = 8_192;
/** How much is looked through before it is cut, so that a secret on the edge is still recognised. */
const SEARCHED_LENGTH = 2 * KEPT_LENGTH;

const escaped = (text: string): string =>
  text.replace(/[^\P{Cc}\t\r\n]/gu, (control) => `\\x${(control.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`);

/** Bytes as a person can read them: UTF-8 where it is that, other bytes by their number. */
export function legible(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return escaped(text.includes('\ufffd') ? bytes.toString('latin1') : text);
}

/**
 * What is kept of a message: legible (no database takes every character), redacted, bounded. Bytes are what was exchanged;
 * a string is a sentence of ours, which quotes what was exchanged and must itself stay readable. `secrets` are those of the session.
 */
export function excerpt(message: Buffer | string, kept = KEPT_LENGTH, secrets?: SecretValues): string {
  const isSentence = typeof message === 'string';
  const read = isSentence ? escaped(message.slice(0, SEARCHED_LENGTH)) : legible(message.subarray(0, SEARCHED_LENGTH));
  const isCut = message.length > SEARCHED_LENGTH;
  const clean = redact(secrets?.redact(read, isCut) ?? read, isSentence ? RULES_FOR_SENTENCES : undefined);
  // The way through bytes fixes a character that the cut went through.
  const text = Buffer.from(clean.slice(0, kept)).toString();
  return isCut || clean.length > kept ? `${text} […]` : text;
}
