import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { connect as tlsConnect, rootCertificates } from 'node:tls';
import type { Fetch } from './transport';

export interface NodeFetchOptions {
  /** The URL of an HTTP proxy for all requests. By default as the environment says. */
  readonly proxy?: string;
  /** Certificates (PEM) of authorities that are trusted besides those of Node. */
  readonly ca?: string;
  /** `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` are read from it. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** A fetch with proxies and own authorities, which that of Node does not have before Node 24. */
export function nodeFetch({ proxy, ca, environment = process.env }: NodeFetchOptions = {}): Fetch {
  const authorities = ca === undefined ? {} : { ca: [...rootCertificates, ca] };
  return async (request) => {
    const url = new URL(request.url);
    const via = proxy ?? proxyFor(url, environment);
    const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
    const headers = {
      ...Object.fromEntries(request.headers),
      ...(body && { 'content-length': String(body.length) }),
    };
    const options: RequestOptions = { method: request.method, signal: request.signal, headers, agent: false };
    if (via === undefined) return send(url, { ...options, ...authorities }, body);
    const proxyUrl = parseProxy(via);
    const authorization = credentialsOf(proxyUrl);
    if (url.protocol === 'http:') {
      const all = { ...headers, ...authorization, host: url.host };
      return send(proxyUrl, { ...options, ...authorities, headers: all, path: url.href }, body);
    }
    const tunnel = await tunnelTo(url, proxyUrl, authorization, request.signal);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const socket = tlsConnect({
      socket: tunnel,
      // The certificate must be of this name or address: without it, that of the tunnel would count.
      host,
      servername: isIP(host) === 0 ? host : '',
      ...authorities,
    });
    // The request reports it.
    socket.on('error', () => {});
    // With an agent, `createConnection` would not be called.
    return send(url, { ...options, agent: undefined, createConnection: () => socket }, body);
  };
}

function send(url: URL, options: RequestOptions, body: Buffer | undefined): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? httpsRequest(url, options) : httpRequest(url, options);
    request.once('error', reject);
    request.once('response', (answer) => {
      const headers = new Headers();
      for (let at = 0; at < answer.rawHeaders.length; at += 2)
        headers.append(answer.rawHeaders[at] ?? '', answer.rawHeaders[at + 1] ?? '');
      const { statusCode = 0 } = answer;
      const isEmpty = [204, 205, 304].includes(statusCode) || statusCode < 200;
      const content = isEmpty ? null : (Readable.toWeb(answer) as unknown as ReadableStream<Uint8Array>);
      if (isEmpty) answer.resume();
      try {
        resolve(new Response(content, { status: statusCode, headers }));
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
    request.end(body);
  });
}

function tunnelTo(url: URL, proxy: URL, headers: Record<string, string>, signal: AbortSignal): Promise<Socket> {
  const target = `${url.hostname}:${url.port === '' ? '443' : url.port}`;
  const connect = proxy.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = connect(proxy, {
      method: 'CONNECT',
      path: target,
      headers: { ...headers, host: target },
      agent: false,
      signal,
    });
    request.once('error', reject);
    request.once('connect', (answer, socket: Socket) => {
      if (answer.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`the proxy ${proxy.host} refused the connection with ${answer.statusCode}`));
    });
    request.once('response', (answer) => {
      void buffer(answer).catch(() => undefined);
      reject(new Error(`the proxy ${proxy.host} answered with ${answer.statusCode}`));
    });
    request.end();
  });
}

/** The error has no text of the setting, which may have a password. */
function parseProxy(text: string): URL {
  try {
    const url = new URL(text.includes('://') ? text : `http://${text}`);
    if (['http:', 'https:'].includes(url.protocol)) return url;
  } catch {
    // Below.
  }
  throw new Error('the proxy is not the URL of an HTTP proxy, such as http://proxy.example.com:3128');
}

const credentialsOf = ({ username, password }: URL): Record<string, string> => {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
};

export function proxyFor(
  { protocol, hostname, port }: URL,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const read = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? '';
  const proxy = read(protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') || read('ALL_PROXY');
  if (proxy === '') return undefined;
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const number = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  const entries = read('NO_PROXY')
    .toLowerCase()
    .split(/[\s,]+/);
  return entries.some((entry) => entry !== '' && excepts(entry, host, number)) ? undefined : proxy;
}

/** Names with their subdomains, addresses and blocks, each with an optional port. */
function excepts(entry: string, host: string, port: string): boolean {
  if (entry === '*' || entry === host) return true;
  const [block = '', length] = entry.split('/');
  const family = isIP(host) === 6 ? 'ipv6' : 'ipv4';
  if (length !== undefined) {
    if (isIP(host) === 0 || isIP(block) !== isIP(host) || !/^\d{1,3}$/.test(length)) return false;
    const list = new BlockList();
    list.addSubnet(block, Math.min(Number(length), family === 'ipv6' ? 128 : 32), family);
    return list.check(host, family);
  }
  const [, name = '', digits] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(entry) ?? [];
  if (digits !== undefined && digits !== port) return false;
  const domain = name.replace(/^\*?\./, '');
  return domain !== '' && (host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`)));
}
