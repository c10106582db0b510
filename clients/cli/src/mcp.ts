import { once } from 'node:events';
import { dataOf } from '../../sdk/src';
import { agentServer, serveAgent } from '../../mcp/src';
import type { CommonFlags, Session } from './session';

declare const ASSAY_VERSION: string;

/** Serves the tools on standard input and output until the client ends it. */
export async function mcp(session: Session, { readOnly = false }: CommonFlags & { readOnly?: boolean }): Promise<void> {
  const client = session.client({ userAgent: `assay-mcp/${ASSAY_VERSION}` });
  const me = () => dataOf(client.GET('/v1/me'));
  // A wrong key is an error here, and not of each tool.
  await me();
  const { stdin, stdout } = session.terminal;
  const { organization } = session.settings;
  const served = serveAgent(
    () => agentServer({ client, me, isReadOnly: readOnly, version: ASSAY_VERSION, organization }),
    stdin,
    stdout,
  );
  await Promise.race([once(stdin, 'close'), once(stdin, 'end'), once(session.signal, 'abort')]);
  await served.close();
}
