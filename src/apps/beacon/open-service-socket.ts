import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { Endpoint } from '../../beacon-protocol/endpoint';
import { formatUrlHost, hostOf, portOf } from '../../kernel/web-url';
import { withinTime } from '../../kernel/within-time';
import { ConnectFailure, connectFailureOf } from './connect-failure';
import { type Proxy, proxyText } from './proxy';

export interface ServiceAddress {
  /** The base URL of the API. */
  readonly url: URL;
  readonly proxy: Proxy | undefined;
  /** The certificates of the only authorities that are trusted, as PEM; undefined for the usual ones. */
  readonly ca: string | undefined;
}

export interface ServiceSocket {
  readonly socket: Socket;
  /** The service and its proxy, to which no connection of a target may lead. Grows while names are resolved. */
  readonly endpoints: readonly Endpoint[];
}

/** For the TCP connection, the proxy and TLS together. */
const OPEN_MS = 10_000;

interface Place {
  readonly host: string;
  readonly port: number;
}

/** Connects to the service, through the proxy if there is one, and TLS if the URL says so. */
export async function openServiceSocket(service: ServiceAddress, stopped: AbortSignal): Promise<ServiceSocket> {
  const { url, proxy, ca } = service;
  const place = { host: hostOf(url), port: portOf(url) };
  const signal = withinTime(stopped, OPEN_MS);
  const endpoints: Endpoint[] = [];
  addAddresses(endpoints, proxy === undefined ? [place] : [place, proxy]);
  let socket = await openTcp(proxy ?? place, proxy === undefined ? url.host : proxyName(proxy), signal);
  endpoints.push({ address: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 });
  if (proxy?.isTls) socket = await startTls(socket, proxy.host, ca, proxyName(proxy), signal);
  if (proxy !== undefined) socket = await openTunnel(socket, proxy, place, signal);
  if (url.protocol === 'https:') socket = await startTls(socket, place.host, ca, url.host, signal);
  return { socket, endpoints };
}

const proxyName = (proxy: Proxy): string => `The proxy ${proxyText(proxy)}`;

/** In the background: behind a proxy, the name of the service is often not known. */
function addAddresses(endpoints: Endpoint[], places: readonly Place[]): void {
  for (const { host, port } of places) {
    void lookup(host, { all: true }).then(
      (found) => endpoints.push(...found.map(({ address }) => ({ address, port }))),
      () => {},
    );
  }
}

async function openTcp({ host, port }: Place, name: string, signal: AbortSignal): Promise<Socket> {
  const socket = connectTcp({ host, port, noDelay: true });
  return settled(socket, 'connect', name, signal);
}

async function startTls(
  socket: Socket,
  host: string,
  ca: string | undefined,
  name: string,
  signal: AbortSignal,
): Promise<Socket> {
  // Addresses have no server name; the certificate is compared with `host` then.
  const servername = isIP(host) === 0 ? host : '';
  const secure: TLSSocket = connectTls({ socket, host, servername, ca, minVersion: 'TLSv1.2' });
  return settled(secure, 'secureConnect', name, signal);
}

/** Destroys the socket and throws a `ConnectFailure` unless the event comes first. */
async function settled<T extends Socket>(socket: T, event: string, name: string, signal: AbortSignal): Promise<T> {
  try {
    await once(socket, event, { signal });
    // Without a listener a later error would end the process.
    socket.on('error', () => {});
    return socket;
  } catch (error) {
    socket.on('error', () => {}).destroy();
    throw signal.aborted ? timeoutOf(name) : connectFailureOf(error, name);
  }
}

const timeoutOf = (name: string): ConnectFailure =>
  new ConnectFailure(`${name} did not respond within ${OPEN_MS / 1_000} seconds.`, false);

/** What the statuses of a proxy mean for the owner of this machine. */
const REMEDIES: Readonly<Record<number, string>> = {
  403: 'Allow CONNECT to this host and port in the proxy.',
  405: 'Allow CONNECT in the proxy.',
  407: 'Put the user and the password into the URL of the proxy, or correct them.',
  502: 'The proxy cannot reach the service.',
  503: 'The proxy cannot reach the service.',
  504: 'The proxy cannot reach the service.',
};

async function openTunnel(socket: Socket, proxy: Proxy, { host, port }: Place, signal: AbortSignal): Promise<Socket> {
  const name = proxyName(proxy);
  const target = `${formatUrlHost(host)}:${port}`;
  const { credentials } = proxy;
  const headers = {
    Host: target,
    ...(credentials !== undefined && {
      'Proxy-Authorization': `Basic ${Buffer.from(credentials).toString('base64')}`,
    }),
  };
  const request = httpRequest({ method: 'CONNECT', path: target, headers, createConnection: () => socket, signal });
  return new Promise((resolve, reject) => {
    const refuse = (error: unknown): void => {
      socket.destroy();
      reject(signal.aborted ? timeoutOf(name) : connectFailureOf(error, name));
    };
    const refuseWith = (status = 0): void => {
      const remedy = REMEDIES[status] ?? 'Check the URL of the proxy.';
      refuse(new ConnectFailure(`${name} answered ${status} to CONNECT ${target}. ${remedy}`, status < 500));
    };
    request.on('error', refuse);
    request.on('response', ({ statusCode }) => refuseWith(statusCode));
    request.on('connect', ({ statusCode = 0 }, tunnel: Socket, head: Buffer) => {
      if (statusCode < 200 || statusCode > 299) {
        refuseWith(statusCode);
        return;
      }
      if (head.length > 0) tunnel.unshift(head);
      resolve(tunnel);
    });
    request.end();
  });
}
