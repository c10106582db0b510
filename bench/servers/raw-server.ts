import { createHash, timingSafeEqual } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { Pool } from 'pg';
import { assetColumns, presentAsset, type AssetRow } from './raw-asset';
import { columns, present, type Row } from './raw-finding';
import { jobColumns, presentJob, type JobRow } from './raw-job';

/**
 * The upper limit of the runtime: `node:http`, `pg`, prepared statements and cached keys. It returns the same bytes as the
 * service and also checks credentials and tenancy.
 */
const pool = new Pool({
  connectionString: process.env['DATABASE_URL'],
  max: Number(process.env['DATABASE_POOL_SIZE']),
});

const cachedOrganizations = new Map<string, number[]>();

async function organizationsOf(header: string): Promise<number[] | undefined> {
  const cached = cachedOrganizations.get(header);
  if (cached !== undefined) return cached;
  const [accessKey = '', secret = ''] = Buffer.from(header.slice(6), 'base64').toString().split(':');
  const { rows } = await pool.query<{ secret_hash: Buffer; organizations: number[] }>({
    name: 'key',
    text: `SELECT k.secret_hash, array_agg(m.organization_id) AS organizations
           FROM api_keys k JOIN memberships m USING (user_id) WHERE k.access_key = $1 GROUP BY k.id`,
    values: [accessKey],
  });
  const [row] = rows;
  if (row === undefined || !timingSafeEqual(createHash('sha256').update(secret).digest(), row.secret_hash))
    return undefined;
  cachedOrganizations.set(header, row.organizations);
  return row.organizations;
}

function answer(response: ServerResponse, status: number, body: object, tagFor?: IncomingMessage): void {
  const text = JSON.stringify(body);
  if (tagFor !== undefined) {
    const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 32)}"`;
    response.setHeader('ETag', tag);
    if (tagFor.headers['if-none-match'] === tag) {
      response.writeHead(304).end();
      return;
    }
  }
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

async function one(id: number, organizations: number[]): Promise<Row[]> {
  const { rows } = await pool.query<Row>({
    name: 'one',
    text: `SELECT ${columns} FROM findings f WHERE f.id = $1 AND f.organization_id = ANY($2)`,
    values: [id, organizations],
  });
  return rows;
}

async function page(slug: string, organizations: number[], number: number, perPage: number): Promise<Row[]> {
  const { rows } = await pool.query<Row>({
    name: 'page',
    text: `SELECT ${columns} FROM findings f WHERE f.id = ANY(ARRAY(
             SELECT finding_id FROM event_findings
             WHERE event_id = (SELECT id FROM events WHERE slug = $1 AND organization_id = ANY($2))
             ORDER BY finding_id DESC LIMIT $3 OFFSET $4)) ORDER BY f.id DESC`,
    values: [slug, organizations, perPage, (number - 1) * perPage],
  });
  return rows;
}

async function assets(organization: number, organizations: number[], perPage: number): Promise<AssetRow[]> {
  const { rows } = await pool.query<AssetRow>({
    name: 'assets',
    text: `SELECT ${assetColumns} FROM (
             SELECT id FROM assets WHERE organization_id = $1 AND organization_id = ANY($2) ORDER BY id DESC LIMIT $3) page
           JOIN assets a USING (id) LEFT JOIN asset_totals t ON t.asset_id = a.id ORDER BY a.id DESC`,
    values: [organization, organizations, perPage],
  });
  return rows;
}

async function jobs(organizations: number[], perPage: number): Promise<JobRow[]> {
  const { rows } = await pool.query<JobRow>({
    name: 'jobs',
    text: `SELECT ${jobColumns} FROM unnest($1::int[]) AS o (id) CROSS JOIN LATERAL (
             SELECT * FROM jobs WHERE organization_id = o.id ORDER BY id DESC LIMIT $2) j ORDER BY j.id DESC LIMIT $2`,
    values: [organizations, perPage],
  });
  return rows;
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const organizations = await organizationsOf(request.headers.authorization ?? '');
  if (organizations === undefined) return answer(response, 401, {});
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://raw');
  const [, , collection, name = '', inside] = pathname.split('/');
  if (inside === 'assets') {
    const rows = await assets(Number(name), organizations, Number(searchParams.get('per_page')));
    return answer(response, 200, { assets: rows.map(presentAsset) });
  }
  if (collection === 'jobs') {
    const rows = await jobs(organizations, Number(searchParams.get('per_page')));
    return answer(response, 200, { jobs: rows.map(presentJob) });
  }
  const rows =
    collection === 'findings'
      ? await one(Number(name), organizations)
      : inside === 'findings'
        ? await page(name, organizations, Number(searchParams.get('page') ?? 1), Number(searchParams.get('per_page')))
        : [];
  answer(
    response,
    rows.length > 0 ? 200 : 404,
    { findings: rows.map(present) },
    collection === 'findings' ? request : undefined,
  );
}

const server = createServer((request, response) => {
  handle(request, response).catch(() => answer(response, 500, {}));
});
server.listen(Number(process.env['PORT']), '127.0.0.1', () => process.send?.({ type: 'ready' }));
process.once('SIGTERM', () => process.exit(0));
