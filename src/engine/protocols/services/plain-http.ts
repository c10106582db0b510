import type { Probe } from '../../probe';
import { locationOf, type Target } from '../../target';

export interface PlainAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';

const isChunked = (head: string): boolean => /^transfer-encoding:[ \t]*chunked/im.test(head);

function complete(reply: Buffer): boolean {
  const end = reply.indexOf(HEAD_END);
  if (end < 0) return reply.length >= 5 && !reply.toString('latin1', 0, 5).startsWith('HTTP/');
  const head = reply.toString('latin1', 0, end);
  if (isChunked(head)) return reply.subarray(-LAST_CHUNK.length).equals(Buffer.from(LAST_CHUNK));
  const [, length = '0'] = /^content-length:[ \t]*(\d{1,9})/im.exec(head) ?? [];
  return reply.length >= end + HEAD_END.length + Number(length);
}

function dechunked(body: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const lineEnd = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.toString('latin1', at, lineEnd), 16);
    if (lineEnd < 0 || !(size > 0)) break;
    chunks.push(body.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return Buffer.concat(chunks);
}

const GET = (path: string, authority: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${authority}\r\nAccept: application/json\r\nConnection: keep-alive\r\n\r\n`;

function answerIn(reply: Buffer): PlainAnswer | null {
  const end = reply.indexOf(HEAD_END);
  const head = reply.toString('latin1', 0, Math.max(0, end));
  const [, status] = /^HTTP\/1\.[01] (\d{3})/.exec(head) ?? [];
  if (status === undefined) return null;
  const body = reply.subarray(end + HEAD_END.length);
  return { status: Number(status), head, body: (isChunked(head) ? dechunked(body) : body).toString() };
}

/**
 * HTTP to a service, on one connection and so to one server: the engine's own is for web servers, with pages and
 * redirects. Null for an answer that is not HTTP.
 */
export async function askPlainly(
  probe: Probe,
  target: Target,
  paths: readonly string[],
): Promise<(PlainAnswer | null)[]> {
  const authority = locationOf(target).slice('tcp://'.length);
  return (await probe.tcp(paths.map((path) => ({ send: GET(path, authority), complete })))).map(answerIn);
}
