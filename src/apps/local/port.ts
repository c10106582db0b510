import { once } from 'node:events';
import { createServer } from 'node:net';
import { errorCode } from '../postgres/error-code';
import { StartRefused } from '../postgres/start-refused';

/** Checks the port before anything starts, instead of waiting for the API to fail. */
export async function requireFreePort(port: number, host: string, key: 'PORT' | 'PORTAL_PORT' = 'PORT'): Promise<void> {
  const error = await listenError(port, host);
  if (error === undefined) return;
  const explain = messages[errorCode(error) ?? ''];
  throw explain ? new StartRefused(explain(port, host, key)) : error;
}

export const isPortFree = async (port: number, host: string): Promise<boolean> =>
  (await listenError(port, host)) === undefined;

/** The error of listening on this port, or undefined if it is free. */
async function listenError(port: number, host: string): Promise<unknown> {
  const probe = createServer().listen(port, host);
  try {
    await once(probe, 'listening');
  } catch (error) {
    return error;
  }
  probe.close();
  await once(probe, 'close');
  return undefined;
}

const messages: Record<string, (port: number, host: string, key: string) => string> = {
  EADDRINUSE: (port, _host, key) =>
    `Port ${port} is used by another program. Choose another port: ${key}=${nextPort(port)} npm start`,
  EACCES: (port, _host, key) =>
    `Port ${port} requires permissions that this user does not have. Choose another port: ${key}=3000 npm start`,
  EADDRNOTAVAIL: (_port, host) => `This machine has no address ${host}. Correct HOST or remove it.`,
  ENOTFOUND: (_port, host) => `This machine has no address ${host}. Correct HOST or remove it.`,
};

const nextPort = (port: number): number => (port < 65_535 ? port + 1 : 3000);
