import { redact, RULES_FOR_SENTENCES } from '../../kernel/redact';
import type { SecretValues } from './secret-values';

/** The length of the stored part of a message. */
const KEPT_LENGTH = 8_192;
/** The length that is searched before the message is shortened, so that a secret at the end is still recognized. */
const SEARCHED_LENGTH = 2 * KEPT_LENGTH;

const escaped = (text: string): string =>
  text.replace(/[^\P{Cc}\t\r\n]/gu, (control) => `\\x${(control.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`);

/** Bytes as readable text: valid UTF-8 as it is, other bytes as escapes. */
export function legible(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return escaped(text.includes('\ufffd') ? bytes.toString('latin1') : text);
}

/**
 * The part of a message that is stored: readable (databases do not accept every character), redacted and shortened. Bytes are
 * what was exchanged. A string is one of our sentences, which quotes what was exchanged and must stay readable. `secrets` are
 * those of the session.
 */
export function excerpt(message: Buffer | string, kept = KEPT_LENGTH, secrets?: SecretValues): string {
  const isSentence = typeof message === 'string';
  const read = isSentence ? escaped(message.slice(0, SEARCHED_LENGTH)) : legible(message.subarray(0, SEARCHED_LENGTH));
  const isCut = message.length > SEARCHED_LENGTH;
  const clean = redact(secrets?.redact(read, isCut) ?? read, isSentence ? RULES_FOR_SENTENCES : undefined);
  // Converting to bytes and back repairs a character that was cut in two.
  const text = Buffer.from(clean.slice(0, kept)).toString();
  return isCut || clean.length > kept ? `${text} […]` : text;
}
