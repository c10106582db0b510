import { type IncomingMessage, request as httpRequest } from 'node:http';
import { withinTime } from '../../kernel/within-time';
import { connectFailureOf } from './connect-failure';
import { openServiceSocket, type ServiceAddress } from './open-service-socket';
import { authorizationOf, type Credentials, responseFailure, serviceUrl } from './open-websocket';

const REQUEST_MS = 10_000;

const REMEDIES: Readonly<Record<number, string>> = {
  404: 'Check that the URL is the base URL of the service, and that the service is new enough to register agents.',
};

export interface ServiceRequest {
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  /** The id of the beacon, and a token of one use. */
  readonly credentials: Credentials;
  readonly body?: object;
}

/** A request on a connection of its own. Throws a `ConnectFailure` with the sentence of the service if it refuses. */
export async function requestService(
  service: ServiceAddress,
  { method, path, credentials, body }: ServiceRequest,
  stopped: AbortSignal,
): Promise<void> {
  const { socket } = await openServiceSocket(service, stopped);
  const { host, pathname } = serviceUrl(service.url, path);
  const headers = {
    Host: host,
    ...authorizationOf(credentials),
    'Content-Type': 'application/json',
    Connection: 'close',
  };
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const signal = withinTime(stopped, REQUEST_MS);
      const options = { method, path: pathname, headers, createConnection: () => socket, signal };
      httpRequest(options, resolve)
        .on('error', reject)
        .end(body && JSON.stringify(body));
    });
    const { statusCode: status = 0 } = response;
    if (status < 200 || status > 299) throw await responseFailure(response, service.url, REMEDIES);
  } catch (error) {
    throw connectFailureOf(error, service.url.host);
  } finally {
    socket.destroy();
  }
}
