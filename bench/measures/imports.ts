import { setTimeout as delay } from 'node:timers/promises';
import { type Bench, withServers } from '../bench';
import { connectTo } from '../data-set/bench-database';
import { credentialsOf, hashOf } from '../data-set/keys';
import { goalOf } from '../goals';
import type { Figure } from '../table';

const ROWS = 20_000;
const OWNER = 1;
const HOST = 'imported.example.com';
const TEXT = 'The server shows more than it has to. '.repeat(10);

/** Results of rules with 200 pages each, with texts of their usual length. */
const fileOf = (turn: number): string =>
  Array.from({ length: ROWS }, (_, number) => {
    const result = {
      'template-id': `rule-${turn}-${Math.floor(number / 200)}`,
      info: { name: `Weakness ${number}`, severity: 'low', description: TEXT },
      host: `https://${HOST}`,
      'matched-at': `https://${HOST}/${number % 200}/page`,
      timestamp: '2026-01-31T12:00:00Z',
    };
    return `${JSON.stringify(result)}\n`;
  }).join('');

/** Imports of a file into an empty database, one after the other, with new findings; and the last file once more. */
export async function imports({ database, options }: Bench): Promise<Figure[]> {
  const urls = await database.emptyDatabase('bench_imports');
  const owner = await connectTo(urls.ownerUrl);
  const { accessKey, secret, header } = credentialsOf(OWNER);
  await owner.query(`INSERT INTO organizations (id, name, folded_name) VALUES (${OWNER}, 'Imports', 'imports');
    INSERT INTO users (id, email, folded_email) VALUES (${OWNER}, 'owner@example.com', 'owner@example.com');
    INSERT INTO memberships (user_id, organization_id, role) VALUES (${OWNER}, ${OWNER}, 'owner');
    INSERT INTO api_keys (id, access_key, secret_hash, user_id, label, scopes)
      VALUES (${OWNER}, '${accessKey}', '\\x${hashOf(secret)}', ${OWNER}, 'bench', '{write}');
    INSERT INTO api_key_organizations (key_id, user_id, organization_id) VALUES (${OWNER}, ${OWNER}, ${OWNER});
    INSERT INTO assets (organization_id, value, type, tier) VALUES (${OWNER}, '${HOST}', 'domain', 1)`);
  const written = (): Promise<number> => database.selectNumber(urls, `SELECT pg_current_wal_insert_lsn() - '0/0'`);
  const statusOf = async (id: number): Promise<string> =>
    (await owner.query<{ status: string }>('SELECT status FROM imports WHERE id = $1', [id])).rows[0]?.status ?? '';
  try {
    return await withServers(['api', 'worker'], { DATABASE_URL: urls.appUrl }, async (api, worker) => {
      const idle = worker.memoryMb;
      let memory = idle;
      const round = async (body: string) => {
        const [cpu, ofDatabase, bytes] = [worker.cpuSeconds, await database.cpuSeconds(urls), await written()];
        const headers = { authorization: header, 'content-type': 'application/octet-stream' };
        const accepted = await fetch(`${api.url}/v1/organizations/${OWNER}/imports`, { method: 'POST', headers, body });
        if (accepted.status !== 202) throw new Error(`The import was refused: ${await accepted.text()}`);
        const began = performance.now();
        const { id } = (await accepted.json()) as { id: number };
        let status = 'PENDING';
        for (; status === 'PENDING' || status === 'IN_PROGRESS'; status = await statusOf(id)) {
          await delay(50);
          memory = Math.max(memory, worker.memoryMb);
        }
        if (status !== 'FINISHED') throw new Error(`The import ended as ${status}.`);
        return {
          perSecond: (ROWS * 1_000) / (performance.now() - began),
          cpu: ((worker.cpuSeconds - cpu) * 1_000) / ROWS,
          database: (((await database.cpuSeconds(urls)) - ofDatabase) * 1_000) / ROWS,
          kilobytes: ((await written()) - bytes) / ROWS / 1_024,
        };
      };
      const figures: Figure[] = [];
      const add = (what: string, value: number, unit: string, goal?: Figure['goal']): unknown =>
        figures.push({ measure: 'imports', what, value, unit, ...(goal && { goal }) });
      for (let turn = 0; turn < options.rounds; turn++) {
        const { perSecond, cpu, database: share, kilobytes } = await round(fileOf(turn));
        const goal = turn === options.rounds - 1 ? goalOf('rows of an import') : undefined;
        add(`file ${turn + 1}, new findings per second`, perSecond, '/s', goal);
        add(`file ${turn + 1}, CPU time of the worker for each`, cpu, 'ms');
        add(`file ${turn + 1}, CPU time of PostgreSQL for each`, share, 'ms');
        add(`file ${turn + 1}, written by PostgreSQL for each`, kilobytes, 'KB');
      }
      const again = await round(fileOf(options.rounds - 1));
      add('the last file again, rows per second', again.perSecond, '/s');
      add('memory above idle', memory - idle, 'MB');
      return figures;
    });
  } finally {
    await owner.end();
  }
}
