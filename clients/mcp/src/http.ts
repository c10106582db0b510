import { createMcpHandler } from '@modelcontextprotocol/server';
import { agentServer } from './server';
import type { AgentSession } from './tool';

/**
 * Answers requests of streamable HTTP without sessions, of the protocol 2026-07-28 and of the one before. Each has a server of
 * its own.
 */
export function agentHandler(): (request: Request, session: AgentSession) => Promise<Response> {
  const { fetch } = createMcpHandler(({ authInfo }) => agentServer(authInfo?.extra?.['session'] as AgentSession), {
    // There is nothing that a client could subscribe to.
    maxSubscriptions: 0,
  });
  // The package hands this on to the function above. It has no other use of it, so it gets no token.
  return (request, session) =>
    fetch(request, { authInfo: { token: '', clientId: '', scopes: [], extra: { session } } });
}
