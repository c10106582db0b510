import { createPublicKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Authenticity, keyIdOf, type PublicKey, verifyEvidence } from '../../engine';
import { invalid } from '../../kernel/domain-error';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(`${source} is not JSON.`);
  }
}

const TOKENS = /(?<text>"[^"\\]*(?:\\.[^"\\]*)*")(?<colon>\s*:)?|(?<opening>[{[])|(?<closing>[}\]])/g;

/** Finds a key that an object in valid JSON text contains more than once. */
export function duplicateKeyIn(json: string): string | null {
  const open: Set<unknown>[] = [];
  for (const { groups: { text, colon, opening, closing } = {} } of json.matchAll(TOKENS)) {
    if (opening !== undefined) open.push(new Set());
    if (closing !== undefined) open.pop();
    if (text === undefined || colon === undefined) continue;
    const key: unknown = JSON.parse(text);
    if (open.at(-1)?.has(key) === true) return String(key);
    open.at(-1)?.add(key);
  }
  return null;
}

/** Parsers differ in which of two equal keys they use, so the verified value could differ from the one that is read. */
function parseUnambiguousJson(text: string, source: string): unknown {
  const value = parseJson(text, source);
  const duplicate = duplicateKeyIn(text);
  if (duplicate !== null)
    throw invalid(`${source} has the key ${JSON.stringify(duplicate.slice(0, 100))} twice in one object.`);
  return value;
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw invalid(`Cannot read ${file} (${isRecord(error) ? String(error['code']) : String(error)}).`);
  }
}

/** Moves credentials from the URL into the Authorization header, because `fetch` refuses URLs with credentials. */
async function download(address: string): Promise<string> {
  const url = new URL(address);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  const headers: Record<string, string> = username === '' ? {} : { authorization: `Basic ${credentials}` };
  const answer = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(10_000) });
  if (answer.status === 401 && username === '')
    throw invalid(
      `${url.href} returned 401. It needs an API key: ${url.protocol}//KEY:SECRET@${url.host}${url.pathname}`,
    );
  if (!answer.ok) throw invalid(`${url.href} returned ${answer.status}.`);
  return answer.text();
}

/** Reads a response of GET /v1/evidence-keys. The id of a key must be derived from the key. */
export function readKeys(document: unknown, source: string): PublicKey[] {
  const listed = isRecord(document) ? document['keys'] : undefined;
  if (!Array.isArray(listed)) throw invalid(`${source} has no keys. Use the response of GET /v1/evidence-keys.`);
  return listed.map((key: unknown) => {
    const { id, public_key: pem } = isRecord(key) ? key : {};
    if (typeof id !== 'string' || typeof pem !== 'string')
      throw invalid(`${source} has a key without id or public_key.`);
    if (keyIdOf(createPublicKey(pem)) !== id) throw invalid(`${source}: the key ${id} does not match its id.`);
    return { id, pem };
  });
}

/** `keys` is a file, for offline verification, or a URL. */
export async function verifyEvidenceFile(file: string, keys: string): Promise<Authenticity> {
  const known = await loadKeys(keys);
  return verifyEvidence(parseUnambiguousJson(await readText(file), file), known);
}

/** From a file or a URL. */
export async function loadKeys(keys: string): Promise<PublicKey[]> {
  const isUrl = /^https?:\/\//i.test(keys);
  const source = isUrl ? 'The response' : keys;
  return readKeys(parseUnambiguousJson(isUrl ? await download(keys) : await readText(keys), source), source);
}
