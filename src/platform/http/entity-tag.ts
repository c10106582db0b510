import { createHash, hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { invalid } from '../../kernel/domain-error';
import { Attachment } from './attachment';
import { jsonChunks } from './json-chunks';

const DIGEST_LENGTH = 32;

const MAX_LENGTH_OF_TURN = 1_048_576;

const TAG = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
const TAGS = new RegExp(TAG, 'g');
/**
 * RFC 9110, 13.1.1: a list whose elements may be empty. Each space has one place in the pattern: with two, the time to refuse a
 * header would double with each element.
 */
const TAG_LIST = new RegExp(`^[ \\t,]*${TAG}(?:[ \\t]*,(?:[ \\t]*${TAG})?)*[ \\t]*$`);

const tagOf = (digest: string): string => `"${digest.slice(0, DIGEST_LENGTH)}"`;

/** The entity tag of a response with this text. */
export const tagOfText = (text: string): string => tagOf(hash('sha256', text, 'base64url'));

/** The entity tag of a response with this JSON. While that of a long one is computed, the process serves other requests. */
export async function tagOfJson(chunks: Iterable<string>): Promise<string> {
  const hashed = createHash('sha256');
  let length = 0;
  for (const chunk of chunks) {
    hashed.update(chunk);
    length += chunk.length;
    if (length < MAX_LENGTH_OF_TURN) continue;
    length = 0;
    await setImmediate();
  }
  return tagOf(hashed.digest('base64url'));
}

/** The entity tag of what a handler returns. */
export const entityTag = async (body: unknown): Promise<string> =>
  body instanceof Attachment ? body.tag : tagOfJson(jsonChunks(body));

/** The value of an If-Match header: `*`, or the tags that it lists. Throws if it is malformed. */
export function parseIfMatch(header: string): '*' | readonly string[] {
  if (header.trim() === '*') return '*';
  if (!TAG_LIST.test(header))
    throw invalid(
      'If-Match must be * or a list of entity tags in double quotes, as in "a1b2". Send the ETag of the response unchanged.',
    );
  return header.match(TAGS) ?? [];
}
