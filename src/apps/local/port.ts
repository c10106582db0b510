import { once } from 'node:events';
import { createServer } from 'node:net';
import { errorCode } from './postgres/error-code';
import { StartRefused } from './postgres/start-refused';

/** Says so before anything is started, rather than the API long after. */
export async function requireFreePort(port: number, host: string): Promise<void> {
  const error = await listenError(port, host);
  if (error === undefined) return;
  const explain = messages[errorCode(error) ?? ''];
  throw explain ? new StartRefused(explain(port, host)) : error;
}

export const isPortFree = async (port: number, host: string): Promise<boolean> =>
  (await listenError(port, host)) === undefined;

/** What the system says to whoever would listen there, and nothing where it lets them. */
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

const messages: Record<string, (port: number, host: string) => string> = {
  EADDRINUSE: (port) =>
    `Port ${port} is taken by another program. Choose another one: PORT=${nextPort(port)} npm start`,
  EACCES: (port) => `Port ${port} needs rights that this user lacks. Choose another one: PORT=3000 npm start`,
  EADDRNOTAVAIL: (_port, host) => `This machine has no address ${host}. Look at HOST, or leave it out.`,
  ENOTFOUND: (_port, host) => `This machine has no address ${host}. Look at HOST, or leave it out.`,
};

const nextPort = (port: number): number => (port < 65_535 ? port + 1 : 3000);
