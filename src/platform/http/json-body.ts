import type { IncomingMessage } from 'node:http';
import { DomainError, invalid } from '../../kernel/domain-error';
import { hasBody, readBytes, refuseCompression } from './request-bytes';

const MAX_DEPTH = 32;
/** Each is validated by itself. The longest list of an operation has 500. */
const MAX_VALUES = 10_000;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

interface JsonBodyLimits {
  readonly maxBytes: number;
  /** The first is named in the error. */
  readonly mediaTypes: readonly string[];
}

const usualLimits: JsonBodyLimits = { maxBytes: 256 * 1024, mediaTypes: ['application/json'] };

/**
 * Reads a JSON body. Checks its media type, size, encoding, grammar and depth, each with its own error. Returns undefined
 * if there is no body.
 */
export async function readJsonBody(request: IncomingMessage, { maxBytes, mediaTypes } = usualLimits): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  requireJsonMediaType(request, mediaTypes);
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length === 0) return undefined;
  const value = parse(decode(bytes));
  requireStorable(value);
  return value;
}

const UTF_8 = /^(?<type>[^; ]+) ?(; ?charset ?= ?"?utf-?8"? ?)?;?$/i;
const MAX_TYPE_LENGTH = 100;

function requireJsonMediaType(request: IncomingMessage, mediaTypes: readonly string[]): void {
  refuseCompression(request);
  const header = request.headers['content-type'] ?? '';
  const type = header.length > MAX_TYPE_LENGTH ? undefined : UTF_8.exec(header.trim())?.groups?.['type'];
  if (type === undefined || !mediaTypes.includes(type.toLowerCase())) {
    throw new DomainError(
      'unsupported_media_type',
      `The body must be JSON: send it with Content-Type: ${mediaTypes[0]}.`,
    );
  }
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalid('The body must be valid UTF-8.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw invalid('The body must be valid JSON.');
  }
}

/** Rejects valid JSON that cannot be stored or is dangerous: deep nesting, many values, U+0000, lone surrogates, `__proto__`. */
function requireStorable(root: unknown): void {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 1 }];
  let values = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') requireStorableText(value);
    if (typeof value !== 'object' || value === null) continue;
    if (depth > MAX_DEPTH) throw invalid(`The body must not be nested deeper than ${MAX_DEPTH} levels.`);
    for (const [key, child] of Object.entries(value)) {
      requireStorableText(key);
      if (key === '__proto__') throw invalid('__proto__ is not a field of this operation.');
      values += 1;
      if (values > MAX_VALUES) throw invalid(`The body must not have more than ${MAX_VALUES} values.`);
      open.push({ value: child, depth: depth + 1 });
    }
  }
}

function requireStorableText(text: string): void {
  if (text.includes('\0')) throw invalid('A string in the body contains U+0000, which cannot be stored.');
  if (!text.isWellFormed()) throw invalid('A string in the body contains a lone surrogate, which cannot be stored.');
}
