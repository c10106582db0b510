import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Disturbance, type Reply, send } from './target-server';

/** A request with its fields as an application sees them. */
export interface Posted {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly type: string;
  /** Of a form, whatever its encoding, or the members of a JSON object. */
  readonly fields: Readonly<Record<string, string>>;
  readonly json: unknown;
  readonly cookies: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
}

type Answer = Reply | string | null;
export type FormSite = (request: Posted) => Answer | Promise<Answer>;

const MISSING: Reply = { status: 404, body: '<!doctype html><title>Not found</title><h1>Not found</h1>' };

const partsOf = (body: string, type: string): [string, string][] => {
  const boundary = /boundary="?([^";]+)/.exec(type)?.[1] ?? '';
  return body.split(`--${boundary}`).flatMap((part): [string, string][] => {
    const [head = '', ...rest] = part.split('\r\n\r\n');
    const name = /name="([^"]*)"/.exec(head)?.[1];
    return name === undefined ? [] : [[name, rest.join('\r\n\r\n').slice(0, -2)]];
  });
};

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

function posted(request: IncomingMessage, body: string): Posted {
  const url = new URL(request.url ?? '/', 'http://site.test');
  const type = request.headers['content-type'] ?? '';
  const json = type.includes('json') ? jsonOf(body) : null;
  const pairs = json === null ? (type.startsWith('multipart/') ? partsOf(body, type) : new URLSearchParams(body)) : [];
  const fields = json === null ? Object.fromEntries(pairs) : Object.fromEntries(Object.entries(json ?? {}));
  const cookies = (request.headers.cookie ?? '').split(/;\s*/).map((pair) => pair.split('=', 2));
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    type,
    fields,
    json,
    cookies: Object.fromEntries(cookies.map(([name = '', value = '']) => [name, value])),
    headers: request.headers,
  };
}

/** Lets a test target answer requests with bodies. */
export const servedBy =
  (site: FormSite, seen: (request: Posted) => void = () => {}): Disturbance =>
  (request: IncomingMessage, response: ServerResponse): boolean => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const asked = posted(request, Buffer.concat(chunks).toString());
      seen(asked);
      void Promise.resolve(site(asked)).then((given) => {
        const reply = given ?? MISSING;
        send(response, typeof reply === 'string' ? { body: reply } : reply);
      });
    });
    return true;
  };
