import { latin } from './protocols/protocol';

/** The part of a response that was received. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** Whether the body has its stated length, so that another response can follow. */
  readonly isWhole: boolean;
  readonly staysOpen: boolean;
}

const MOST_HEAD_BYTES = 65_536;
const HEAD_END = '\r\n\r\n';
const MOST_HEADERS = 200;

const LAST_CHUNK = '\r\n0\r\n\r\n';

export const fieldOf = ({ headers }: Pick<HttpResponse, 'headers'>, name: string): string =>
  headers.find(([field]) => field.toLowerCase() === name)?.[1] ?? '';

function headersIn(head: string): (readonly [string, string])[] {
  const lines = head.split('\r\n').slice(1, MOST_HEADERS + 1);
  return lines.flatMap((line) => {
    const colon = line.indexOf(':');
    return colon > 0 ? [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()] as const] : [];
  });
}

/** The content of the complete chunks. */
function unchunked(body: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const lineEnd = body.indexOf('\r\n', at);
    const size = lineEnd < 0 ? 0 : parseInt(latin(body.subarray(at, Math.min(lineEnd, at + 8))), 16);
    if (!(size > 0)) break;
    chunks.push(body.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return Buffer.concat(chunks);
}

/** Statuses whose responses have no body. */
const isWithoutBody = (status: number): boolean => status === 204 || status === 304;

/** Null if it is not a response to an HTTP request, or if its head is incomplete. */
export function readHttpResponse(heard: Buffer): HttpResponse | null {
  const start = latin(heard.subarray(0, MOST_HEAD_BYTES));
  const [, minor, digits] = /^HTTP\/1\.([01]) ([1-5]\d\d)(?:[ \r][^\n]{0,500})?\r?\n/.exec(start) ?? [];
  const headEnd = start.indexOf(HEAD_END);
  if (minor === undefined || headEnd < 0) return null;
  const headers = headersIn(start.slice(0, headEnd));
  const status = Number(digits);
  const body = heard.subarray(headEnd + HEAD_END.length);
  const stated = fieldOf({ headers }, 'content-length');
  const isChunked = /\bchunked$/i.test(fieldOf({ headers }, 'transfer-encoding'));
  const isLong = /^\d{1,9}$/.test(stated) && body.length >= Number(stated);
  return {
    status,
    headers,
    body: isChunked ? unchunked(body) : body,
    isWhole: isChunked
      ? latin(Buffer.concat([Buffer.from('\r\n'), body.subarray(-10)])).endsWith(LAST_CHUNK)
      : isLong || isWithoutBody(status),
    staysOpen: minor === '1' && !/\bclose\b/i.test(fieldOf({ headers }, 'connection')),
  };
}
