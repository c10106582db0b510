import { once } from 'node:events';
import { createServer } from 'node:net';
import { errorCode } from './postgres/error-code';
import { StartRefused } from './postgres/start-refused';

/** Says so before anything is started, rather than the API long after. */
export async function refuseTakenPort(port: number, host: string): Promise<void> {
  const probe = createServer().listen(port, host);
  try {
    await once(probe, 'listening');
  } catch (error) {
    const explain = sentences[errorCode(error) ?? ''];
    throw explain ? new StartRefused(explain(port, host)) : error;
  }
  probe.close();
  await once(probe, 'close');
}

const sentences: Record<string, (port: number, host: string) => string> = {
  EADDRINUSE: (port) => `Port ${port} is taken by another program. Choose another one: PORT=${next(port)} npm start`,
  EACCES: (port) => `Port ${port} needs rights that this user lacks. Choose another one: PORT=3000 npm start`,
  EADDRNOTAVAIL: (_port, host) => `This machine has no address ${host}. Look at HOST, or leave it out.`,
  ENOTFOUND: (_port, host) => `This machine has no address ${host}. Look at HOST, or leave it out.`,
};

const next = (port: number): number => (port < 65_535 ? port + 1 : 3000);
