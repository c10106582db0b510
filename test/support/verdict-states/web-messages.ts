import { STATUS_CODES } from 'node:http';

/** A request as a site sees it. */
export interface SiteRequest {
  readonly method: string;
  /** The path with the query. */
  readonly target: string;
  readonly path: string;
  readonly query: string;
  readonly version: string;
  /** By name in lower case. */
  readonly fields: ReadonlyMap<string, string>;
  /** The source port of the client. */
  readonly port: number;
  /** The number of the connection since the state was set. */
  readonly connection: number;
  /** The address of the site that it reached. */
  readonly address: string;
}

type Fields = Readonly<Record<string, string | number | readonly string[] | null>>;

/** A response; fields that are null are left out. */
export interface SiteResponse {
  readonly status: number;
  readonly body?: string | Buffer;
  readonly type?: string;
  readonly server?: string | null;
  readonly fields?: Fields;
  readonly version?: string;
  /** An interim response before it. */
  readonly interim?: string;
  /** Sent in chunks with extensions, with these trailers. */
  readonly trailers?: Readonly<Record<string, string>>;
}

/** The connection is closed or reset without a response. */
export type NoResponse = 'close' | 'reset';

export type Handler = (request: SiteRequest) => SiteResponse | NoResponse;

export const SERVER = 'nginx/1.22.1';

export function parseRequest(
  head: string,
): Pick<SiteRequest, 'method' | 'target' | 'path' | 'query' | 'version' | 'fields'> {
  const [line = '', ...lines] = head.split('\r\n');
  const [method = '', target = '', version = ''] = line.split(' ');
  const [path = '', ...query] = target.split('?');
  const fields = new Map(
    lines.map((one) => {
      const at = one.indexOf(':');
      return [one.slice(0, at).toLowerCase(), one.slice(at + 1).trim()] as const;
    }),
  );
  return { method, target, path, query: query.join('?'), version, fields };
}

/** The fields of a response, one pair for each line. */
export function fieldLines({
  body = '',
  type = 'text/html',
  server = SERVER,
  fields = {},
  trailers,
}: SiteResponse): [string, string][] {
  const framing: Fields = trailers
    ? { 'Transfer-Encoding': 'chunked', Trailer: Object.keys(trailers) }
    : { 'Content-Length': Buffer.byteLength(body) };
  const all: Fields = { Server: server, Date: new Date().toUTCString(), 'Content-Type': type, ...framing, ...fields };
  return Object.entries(all).flatMap(([name, value]) =>
    value === null ? [] : [value].flat().map((one): [string, string] => [name, String(one)]),
  );
}

function chunked(content: Buffer, trailers: Readonly<Record<string, string>>): Buffer {
  const end = Object.entries(trailers).map(([name, value]) => `${name}: ${value}\r\n`);
  const chunk = content.length === 0 ? [] : [`${content.length.toString(16)};part=1\r\n`, content, '\r\n'];
  return Buffer.concat([...chunk, `0\r\n${end.join('')}\r\n`].map((part) => Buffer.from(part)));
}

/** The bytes of an HTTP/1 response. */
export function responseBytes(response: SiteResponse, method: string): Buffer {
  const { status, body = '', version = 'HTTP/1.1', interim = '', trailers } = response;
  const lines = [...fieldLines(response), ['Connection', 'close']].map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${interim}${version} ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`;
  const content = Buffer.from(body);
  const isEmpty = method === 'HEAD' || status === 204;
  return Buffer.concat([
    Buffer.from(head, 'latin1'),
    isEmpty ? Buffer.alloc(0) : trailers ? chunked(content, trailers) : content,
  ]);
}
