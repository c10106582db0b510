import { createPublicKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Authenticity, keyIdOf, type PublicKey, verifyEvidence } from '../../engine';
import { invalid } from '../../kernel/domain-error';
import { duplicateKeyIn } from './repeated-key';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(`${source} is not JSON.`);
  }
}

/** Of two members of one name each reader takes the one that it likes: what was checked is not what is read. */
function parseUnambiguousJson(text: string, source: string): unknown {
  const value = parseJson(text, source);
  const repeated = duplicateKeyIn(text);
  if (repeated !== null) throw invalid(`${source} says ${JSON.stringify(repeated.slice(0, 100))} twice in one object.`);
  return value;
}

/** Credentials in the URL go into the header that they are for: nothing fetches a URL that has them. */
async function download(address: string): Promise<string> {
  const url = new URL(address);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  const headers: Record<string, string> = username === '' ? {} : { authorization: `Basic ${credentials}` };
  const answer = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(10_000) });
  if (!answer.ok) throw invalid(`${url.href} answered ${answer.status}.`);
  return answer.text();
}

/** What GET /v1/evidence-keys answers. A key whose id is not made from it is somebody's mistake, or worse. */
export function readKeys(document: unknown, source: string): PublicKey[] {
  const listed = isRecord(document) ? document['keys'] : undefined;
  if (!Array.isArray(listed)) throw invalid(`${source} has no keys: it must be what GET /v1/evidence-keys answers.`);
  return listed.map((key: unknown) => {
    const { id, public_key: pem } = isRecord(key) ? key : {};
    if (typeof id !== 'string' || typeof pem !== 'string')
      throw invalid(`${source} has a key without id or public_key.`);
    if (keyIdOf(createPublicKey(pem)) !== id)
      throw invalid(`${source}: the key ${id} is not the one that its id says.`);
    return { id, pem };
  });
}

/** `keys` is a file, for checking offline, or a URL. */
export async function verifyEvidenceFile(file: string, keys: string): Promise<Authenticity> {
  const isUrl = /^https?:\/\//i.test(keys);
  const source = isUrl ? 'The answer' : keys;
  const known = readKeys(
    parseUnambiguousJson(isUrl ? await download(keys) : await readFile(keys, 'utf8'), source),
    source,
  );
  return verifyEvidence(parseUnambiguousJson(await readFile(file, 'utf8'), file), known);
}
