import { Client } from 'pg';

export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

type Query = (this: Client, ...parameters: unknown[]) => unknown;

/** The bounds of transactions, the authentication, which is cached for a while, and what the process does in the background. */
const IGNORED =
  /^(BEGIN|COMMIT|ROLLBACK|NOTIFY|LISTEN|SET)|FROM organization_limits$|WHERE k\.access_key =|FROM access_changes|UPDATE api_keys|clock_tasks/;

/** Records the SQL statements that this process sends while a function runs. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const seen: Statement[] = [];
  const prototype = Client.prototype as unknown as { query: Query };
  const original = prototype.query;
  prototype.query = function (...parameters) {
    const [first, second] = parameters;
    if (typeof first === 'string') seen.push({ text: first, values: Array.isArray(second) ? second : [] });
    else if (typeof first === 'object' && first !== null && 'text' in first) {
      const { text, values } = first as { text: string; values?: unknown[] };
      seen.push({ text, values: values ?? [] });
    }
    return original.apply(this, parameters);
  };
  try {
    await work();
  } finally {
    prototype.query = original;
  }
  return seen.filter(({ text }) => !IGNORED.test(text));
}
