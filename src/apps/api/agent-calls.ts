import { createAssay, type Fetch } from '../../../clients/sdk/src';
import type { agentHandler, AgentSession, Me } from '../../../clients/mcp/src';
import { DomainError, invalid } from '../../kernel/domain-error';
import { packageVersion } from '../../kernel/package-version';
import type { BasicCredentials } from '../../platform/auth/basic-credentials';

type Handler = ReturnType<typeof agentHandler>;

/** Calls of one user at a time. A call may wait for the end of a test. */
const MAX_OF_USER = 8;
/** Only the path counts: nothing of it is resolved or connected to. */
const INTERNAL_URL = 'http://assay';

/** Answers requests of MCP clients without sessions, so that each process of the API can answer each of them. */
export class AgentCalls {
  private readonly running = new Map<number, number>();
  private handler: Promise<Handler> | undefined;

  async answer(request: Request, credentials: BasicCredentials, fetch: Fetch): Promise<Response> {
    const { username, password } = credentials;
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    const known = await fetch(new Request(`${INTERNAL_URL}/v1/me`, { headers: { authorization } }));
    if (!known.ok) return known;
    const me = (await known.json()) as Me;
    const client = createAssay({ url: INTERNAL_URL, key: username, secret: password, fetch, attempts: 1 });
    const session: AgentSession = { client, me: () => Promise.resolve(me), isReadOnly: false, version: packageVersion };
    return this.limited(me.user.id, async () => complete(await (await this.loaded())(request, session)));
  }

  private async limited(userId: number, answer: () => Promise<Response>): Promise<Response> {
    const running = this.running.get(userId) ?? 0;
    if (running >= MAX_OF_USER)
      throw new DomainError('too_many_requests', `At most ${MAX_OF_USER} calls of a user run at a time.`, 1);
    this.running.set(userId, running + 1);
    try {
      return await answer();
    } finally {
      const left = (this.running.get(userId) ?? 1) - 1;
      if (left === 0) this.running.delete(userId);
      else this.running.set(userId, left);
    }
  }

  /** Loaded with the first call, because most installations have none. */
  private loaded(): Promise<Handler> {
    this.handler ??= load();
    return this.handler;
  }
}

/** A message alone: a list of them would run any number of tools at a time. */
export function requireOneMessage(body: Buffer): void {
  if (body.toString('utf8').trimStart().startsWith('['))
    throw invalid('The body must be one message: lists of messages are not served here.');
}

/** Clients of the protocol of 2025 get events: the package responds before the tool runs. It ends them when the client leaves. */
async function complete(answer: Response): Promise<Response> {
  const body = await answer.arrayBuffer();
  return new Response(body.byteLength === 0 ? null : body, { status: answer.status, headers: answer.headers });
}

async function load(): Promise<Handler> {
  const { agentHandler: newHandler } = await import('../../../clients/mcp/src/index.js');
  return newHandler();
}
