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
  // The package answers a subscription as if others had used up a limit.
  const isSubscription = ({ headers }: Request) => headers.get('mcp-method') === 'subscriptions/listen';
  // The package hands this on to the function above. It has no other use of it, so it gets no token.
  return async (request, session) =>
    isSubscription(request)
      ? methodNotFound(await request.json().catch(() => null))
      : fetch(request, { authInfo: { token: '', clientId: '', scopes: [], extra: { session } } });
}

function methodNotFound(message: unknown): Response {
  const { id = null } = (message ?? {}) as { readonly id?: unknown };
  return Response.json({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }, { status: 404 });
}
