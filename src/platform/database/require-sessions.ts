import { Client, type ClientConfig } from 'pg';

/** How often the two connections are compared. A pooler with many idle connections may give back the same one by chance. */
const TURNS = 5;

/** What PgBouncer answers to BEGIN in statement mode. */
const STATEMENT_MODE = 'statement pooling mode';

/**
 * Throws if statements of one connection run on several connections of the server, as in the transaction mode of PgBouncer:
 * while another connection is in a transaction, this one must keep its server process.
 */
export async function requireSessions(name: string, config: ClientConfig): Promise<void> {
  const observed = await connect(config);
  try {
    const other = await connect(config);
    try {
      const pid = await serverProcess(observed);
      for (let turn = 0; turn < TURNS; turn++) {
        await other.query('BEGIN');
        const occupied = await serverProcess(other);
        const now = await serverProcess(observed);
        await other.query('ROLLBACK');
        if (now !== pid || occupied === pid) throw refusal(name);
      }
    } finally {
      await other.end().catch(() => undefined);
    }
  } catch (error) {
    throw error instanceof Error && error.message.includes(STATEMENT_MODE) ? refusal(name) : error;
  } finally {
    await observed.end().catch(() => undefined);
  }
}

async function connect(config: ClientConfig): Promise<Client> {
  const client = new Client(config);
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function serverProcess(client: Client): Promise<number | undefined> {
  return (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;
}

const refusal = (name: string): Error =>
  new Error(
    `${name} leads to a pooler in transaction or statement mode. Assay needs sessions, because it uses prepared statements, ` +
      'time limits of sessions and LISTEN: set pool_mode = session for this database in PgBouncer, or connect to PostgreSQL directly.',
  );
