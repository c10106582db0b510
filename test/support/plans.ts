import type { Client } from 'pg';
import type { Statement } from './statements';

export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Filter?: string;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  /** Of one loop, as the next counts. Only of a statement that has run. */
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: PlanNode[];
}

const allOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(allOf)];

/** All nodes of the query plan of a statement, and with ANALYZE what they did. */
async function explained(database: Client, { text, values }: Statement, options = ''): Promise<PlanNode[]> {
  const { rows } = await database.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `EXPLAIN (${options}FORMAT JSON) ${text}`,
    values,
  );
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  return plan === undefined ? [] : allOf(plan);
}

export const planOf = (database: Client, statement: Statement): Promise<PlanNode[]> => explained(database, statement);

/** The plan that PostgreSQL makes for any values, after it has run a prepared statement several times. */
export async function genericPlanOf(database: Client, { text, values }: Statement): Promise<PlanNode[]> {
  const textOf = (value: unknown): string => {
    if (value instanceof Date) return value.toISOString();
    return typeof value === 'string' ? value : JSON.stringify(value).replace(/^\[(.*)\]$/, '{$1}');
  };
  const literals = values.map((value) => (value === null ? 'NULL' : database.escapeLiteral(textOf(value))));
  await database.query(`SET plan_cache_mode = force_generic_plan; PREPARE for_any_values AS ${text}`);
  const plan = await planOf(database, { text: `EXECUTE for_any_values (${literals.join(', ')})`, values: [] });
  await database.query('DEALLOCATE for_any_values; RESET plan_cache_mode');
  return plan;
}

/** The tables that are read by a sequential scan. */
export const scannedBy = (plan: PlanNode[]): string[] =>
  plan.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name'] ?? '');

/** The number of blocks that PostgreSQL reads to run a statement. Depends only on the data, not on the speed of the machine. */
export async function blocksReadBy(database: Client, statement: Statement): Promise<number> {
  const [plan] = await explained(database, statement, 'ANALYZE, BUFFERS, ');
  return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
}

/** How many rows of each table PostgreSQL looks at to run a statement. */
export async function rowsReadBy(database: Client, statement: Statement): Promise<Record<string, number>> {
  const read: Record<string, number> = {};
  for (const node of await explained(database, statement, 'ANALYZE, ')) {
    const table = node['Relation Name'];
    if (table === undefined) continue;
    const counts = [node['Actual Rows'], node['Rows Removed by Filter'], node['Rows Removed by Index Recheck']];
    const ofLoop = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
    read[table] = (read[table] ?? 0) + ofLoop * (node['Actual Loops'] ?? 1);
  }
  return read;
}
