import { z } from 'zod';
import { AssayError, type AssayClient, dataOf, safeLine } from '../../sdk/src';
import { writeRefusal, type Me } from './access';
import type { Found, Position } from './answer';
import type { Shape } from './records';

export interface AgentSession {
  readonly client: AssayClient;
  /** The caller, as it is now. */
  readonly me: () => Promise<Me>;
  readonly isReadOnly: boolean;
  readonly version: string;
  /** The organization of lists if a call names none; by default the only one of the key. */
  readonly organization?: number;
}

/** What a tool works with. Only tools that write get a client that can send anything but GET. */
interface Tools<Client> {
  readonly client: Client;
  readonly from: Position;
  readonly signal: AbortSignal;
  readonly organization: (named: number | undefined) => Promise<number>;
}

export type Reader = Pick<AssayClient, 'GET'>;

interface Stated<Input extends z.ZodRawShape, Client> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly record: Shape;
  readonly run: (input: z.output<z.ZodObject<Input>>, tools: Tools<Client>) => Promise<Found>;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly record: Shape;
  /** `sends`: to targets. */
  readonly writes: 'nothing' | 'records' | 'sends';
  readonly run: (input: object, session: AgentSession, from: Position, signal: AbortSignal) => Promise<Found>;
}

export function readingTool<Input extends z.ZodRawShape>(tool: Stated<Input, Reader>): Tool {
  return {
    ...tool,
    input: z.strictObject(tool.input),
    writes: 'nothing',
    run: (input, session, from, signal) =>
      tool.run(input as z.output<z.ZodObject<Input>>, {
        client: { GET: session.client.GET },
        from,
        signal,
        organization: (named) => organizationOf(session, named),
      }),
  };
}

export function writingTool<Input extends z.ZodRawShape>(
  writes: 'records' | 'sends',
  tool: Stated<Input, AssayClient>,
): Tool {
  return {
    ...tool,
    input: z.strictObject(tool.input),
    writes,
    run: async (input, session, from, signal) => {
      // Again, because an owner may have turned it off since the tools were listed.
      const refusal = writeRefusal(await session.me(), session.isReadOnly);
      if (refusal !== undefined) throw new Error(refusal);
      const organization = (named: number | undefined) => organizationOf(session, named);
      return tool.run(input as z.output<z.ZodObject<Input>>, { client: session.client, from, signal, organization });
    },
  };
}

async function organizationOf(session: AgentSession, named: number | undefined): Promise<number> {
  const known = named ?? session.organization;
  if (known !== undefined) return known;
  const { organizations } = await session.me();
  const [only] = organizations;
  if (only !== undefined && organizations.length === 1) return only.id;
  throw new Error(`Name an organization_id: the key has ${organizations.map(({ id }) => id).join(', ') || 'none'}.`);
}

/** The records of a page, and the position of the next one. */
export async function pageOf<Data extends object>(
  answer: Promise<{ readonly data?: Data; readonly response: Response }>,
): Promise<{ readonly data: Data; readonly after?: string }> {
  const { response } = await answer;
  const [, address] = /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(response.headers.get('link') ?? '') ?? [];
  const after = address === undefined ? null : new URL(address, 'http://service').searchParams.get('after');
  return { data: await dataOf(answer), ...(after !== null && { after }) };
}

/** What an agent is told about an error: the text of the API, without what a terminal or a reader could obey. */
export function failureText(error: unknown): string {
  const said = safeLine(error instanceof Error ? error.message : error).slice(0, 500);
  const id =
    error instanceof AssayError && error.requestId !== undefined ? ` Request: ${safeLine(error.requestId)}.` : '';
  return `${said}${id}`;
}

export const id = z.int().min(1).max(2_147_483_647);
export const organizationId = id.optional().describe('By default the only organization of the key.');
export const cursor = z.string().max(1_000).optional().describe('next_cursor of the answer before.');
