import * as fc from 'fast-check';
import { Client as Postgres } from 'pg';
import { SEVERITIES } from '../../src/kernel/severity';
import { useApi } from '../support/api';
import type { Answer, Client } from '../support/client';
import { query, testDatabase } from '../support/database';
import { Factories, type Tenant, unique, uniqueDomain } from '../support/factories';
import { blocksReadBy, genericPlanOf, planOf } from '../support/plans';
import { statementsOf } from '../support/statements';

const api = useApi();
const make = new Factories(api);

/** A list, and a function that adds a record to it. */
interface Listed {
  readonly client: Client;
  readonly path: string;
  add(): Promise<unknown>;
}

interface Fixture {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly event: { readonly id: number; readonly slug: string };
}

async function createFixture(): Promise<Fixture> {
  const tenant = await make.organization();
  const { client } = await tenant.as('owner');
  const event = await make.event(tenant.id, { status: 'running', end_date: '2999-02-01' });
  return { tenant, client, event };
}

async function organizations(): Promise<Listed> {
  const { client, integratorId } = await make.integrator();
  return { client, path: '/v1/organizations/', add: () => make.organization({ integratorId }) };
}

const ofOrganization =
  (collection: string, add: (fixture: Fixture) => Promise<unknown>) => async (): Promise<Listed> => {
    const fixture = await createFixture();
    const path = `/v1/organizations/${fixture.tenant.id}/${collection}`;
    return { client: fixture.client, path, add: () => add(fixture) };
  };

let added = 0;

/** Findings of all severities and statuses in turn, so that several have the same sort value. */
const addFinding = async ({ tenant, event }: Fixture): Promise<void> => {
  const place = added++;
  const asset = {
    id: null,
    value: `${place % 2 === 0 ? 'even' : 'odd'}.example.com`,
    tier: place % 3 === 0 ? 1 : null,
  };
  const severity = SEVERITIES[3 + (place % 3)];
  const { id } = await make.finding(tenant.id, { eventId: event.id, asset, severity });
  await query('UPDATE findings SET status = $2 WHERE id = $1', [id, 1 + (place % 2)]);
};

const findings = (filter: string) => ofOrganization(`findings/${filter}`, addFinding);

const findingsOfEvent = (filter: string) => async (): Promise<Listed> => {
  const fixture = await createFixture();
  const path = `/v1/events/${fixture.event.slug}/findings/${filter}`;
  return { client: fixture.client, path, add: () => addFinding(fixture) };
};

async function scope(): Promise<Listed> {
  const { client, tenant, event } = await createFixture();
  const path = `/v1/events/${event.slug}/scope`;
  const add = async (): Promise<unknown> =>
    client.post(`${path}/assets/`, { asset_id: (await make.asset(tenant.id)).id, in_scope: true });
  return { client, path, add };
}

async function history(): Promise<Listed> {
  const { client, tenant } = await createFixture();
  const { id } = await make.finding(tenant.id);
  const add = async (): Promise<void> => {
    const change = { status: 2 + (added++ % 2), comment: unique('Change') };
    expect((await client.post(`/v1/findings/${id}/status`, change)).body.result).toBe('updated');
  };
  return { client, path: `/v1/findings/${id}/history`, add };
}

/** Records in two organizations in turn. */
const ofIntegrator = (path: string, insert: string) => async (): Promise<Listed> => {
  const { client, integratorId } = await make.integrator();
  const tenants = [await make.organization({ integratorId }), await make.organization({ integratorId })];
  const events = [await make.event(tenants[0]?.id ?? 0), await make.event(tenants[1]?.id ?? 0)];
  const add = (): Promise<unknown> => {
    const turn = added++ % 2;
    return query(insert, [tenants[turn]?.id, events[turn]?.id]);
  };
  return { client, path, add };
};

const INSERT_JOB = `
  INSERT INTO jobs (uuid, organization_id, event_id, url) VALUES (gen_random_uuid(), $1, $2, 'https://www.example.com/')`;
const INSERT_EVENT = `
  INSERT INTO events (organization_id, name, slug, event_type, event_category, status, start_date, end_date)
  SELECT $1::int, name, gen_random_uuid(), event_type, event_category, status, start_date, end_date FROM events WHERE id = $2`;
const INSERT_REPORT = `
  INSERT INTO reports (organization_id, event_id, options, start_date, end_date)
  VALUES ($1, $2, '{"format": "json"}', now(), now())`;

async function auditLogs(): Promise<Listed> {
  const { client } = await createFixture();
  const add = (): Promise<unknown> => client.post('/v1/assets/', { asset_value: '', asset_type: 'domain' });
  return { client, path: '/v1/audit-logs/?operation=asset.create', add };
}

const lists: readonly (readonly [name: string, list: () => Promise<Listed>])[] = [
  ['organizations', organizations],
  ['events', ofOrganization('events/', ({ tenant }) => make.event(tenant.id))],
  ['assets', ofOrganization('assets/?type=domain', ({ tenant }) => make.asset(tenant.id))],
  [
    'domains',
    ofOrganization('domains/', ({ tenant, client }) =>
      client.post('/v1/domains/', { organization_id: tenant.id, value: uniqueDomain() }),
    ),
  ],
  ['beacons', ofOrganization('beacons/', ({ tenant }) => make.beacon(tenant.id))],
  ['findings of an organization', findings('')],
  ['findings of an organization by severity', findings('?sort=severity')],
  ['findings of an organization by priority', findings('?sort=priority&severity=high')],
  ['findings of an organization in one status', findings('?status=1')],
  ['a search by priority', findings('?q=EVEN.example&sort=priority')],
  ['a search by severity', findings('?q=EVEN.example&sort=severity')],
  ['findings of an event', findingsOfEvent('')],
  ['findings of an event by severity', findingsOfEvent('?sort=severity&severity=high')],
  ['findings of an event by priority', findingsOfEvent('?sort=priority')],
  ['findings of an event in one status by severity', findingsOfEvent('?status=2&sort=severity')],
  ['a search in an event by priority', findingsOfEvent('?q=even&sort=priority')],
  ['the scope of an event', scope],
  ['the history of a finding', history],
  ['events of several organizations', ofIntegrator('/v1/events', INSERT_EVENT)],
  ['jobs of several organizations', ofIntegrator('/v1/jobs', INSERT_JOB)],
  ['reports of several organizations', ofIntegrator('/v1/reports/', INSERT_REPORT)],
  ['the audit log', auditLogs],
];

const withParameters = (path: string, parameters: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}${parameters}`;

const linkOf = ({ headers }: Answer, relation: 'next' | 'prev'): string | undefined =>
  new RegExp(`<([^>]+)>; rel="${relation}"`).exec(headers.get('link') ?? '')?.[1];

/** The records of a page, as text. */
function recordsOf({ status, text, body }: Answer): string[] {
  expect([status, text]).toEqual([200, text]);
  const records = Object.values(body as object).find((value) => Array.isArray(value)) ?? body.in_scope.assets;
  return (records as unknown[]).map((record) => JSON.stringify(record));
}

/** Follows links from a page to the last one in that direction, and returns the pages. */
async function follow(
  { client }: Pick<Listed, 'client'>,
  relation: 'next' | 'prev',
  first: string,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Answer[]> {
  const pages: Answer[] = [];
  for (let path: string | undefined = first; path !== undefined; path = linkOf(pages.at(-1) as Answer, relation)) {
    if (pages.length > 0) await between();
    pages.push(await client.get(path));
    if (pages.length > 30) throw new Error('The links do not end');
  }
  return pages;
}

const onlyOf = (originals: readonly string[], pages: readonly Answer[]): string[] =>
  pages.flatMap(recordsOf).filter((record) => originals.includes(record));

describe.each(lists)('the links of %s', (_name, create) => {
  let list: Listed;
  let originals: string[];

  beforeAll(async () => {
    list = await create();
    // At most half of them match a filter.
    for (let count = 0; count < 10; count++) await list.add();
    originals = recordsOf(await list.client.get(withParameters(list.path, 'per_page=100')));
    expect(originals.length).toBeGreaterThan(3);
  });

  it('return each record exactly once although records are added meanwhile, in both directions', async () => {
    const first = withParameters(list.path, 'per_page=2');
    const forwards = await follow(list, 'next', first, () => list.add());
    expect(onlyOf(originals, forwards)).toEqual(originals);
    const all = forwards.flatMap(recordsOf);
    expect(new Set(all).size).toBe(all.length);
    expect(forwards.slice(0, -1).map((page) => recordsOf(page).length)).toEqual(forwards.slice(1).map(() => 2));
    const last = forwards.at(-1) as Answer;
    const previous = linkOf(last, 'prev') as string;
    const backwards = [last, ...(await follow(list, 'prev', previous, () => list.add()))].toReversed();
    expect(onlyOf(originals, backwards)).toEqual(originals);
    expect(new Set(backwards.flatMap(recordsOf)).size).toBe(backwards.flatMap(recordsOf).length);
  });

  it('lead to the same pages as page numbers, and to the number of records', async () => {
    const pages = await follow(list, 'next', withParameters(list.path, 'per_page=3'));
    const byNumber = await Promise.all(
      pages.map((_page, index) => list.client.get(withParameters(list.path, `per_page=3&count=1&page=${index + 1}`))),
    );
    expect(byNumber.map(recordsOf)).toEqual(pages.map(recordsOf));
    const total = String(pages.flatMap(recordsOf).length);
    expect(byNumber.map(({ headers }) => headers.get('x-total-count'))).toEqual(pages.map(() => total));
    expect(pages[0]?.headers.get('x-total-count')).toBeNull();
    const [first, second] = byNumber;
    expect(linkOf(second as Answer, 'prev')).toBe(withParameters(list.path, 'per_page=3&count=1&page=1'));
    const withCount = withParameters(list.path, 'per_page=3&count=1');
    expect(linkOf(first as Answer, 'next')).toMatch(new RegExp(`^${withCount.replaceAll('?', '\\?')}&after=[\\w-]+$`));
  });

  it('refuse a position that no link had', async () => {
    const next = linkOf(await list.client.get(withParameters(list.path, 'per_page=1')), 'next') as string;
    const token = new URLSearchParams(next.split('?')[1]).get('after') as string;
    const [id, page, ...values] = JSON.parse(Buffer.from(token, 'base64url').toString()) as unknown[];
    const forged = (...content: unknown[]) => Buffer.from(JSON.stringify(content)).toString('base64url');
    const wrong = [
      'abc',
      token.slice(0, -1),
      `${token}A`,
      forged(id, page),
      forged(id, page, ...values, 1),
      forged(id, page, ...values.map(String).map((text) => `${text}'`)),
      forged(id, page, ...values.map(() => 1.5)),
      forged(id, page, ...values.map(() => null)),
      forged(id, 0, ...values),
    ];
    for (const text of wrong) {
      const { status, body } = await list.client.get(withParameters(list.path, `after=${text}`));
      expect([text, status, body.description]).toEqual([text, 400, 'after must be a position from a Link header.']);
    }
    const largest = forged(id, page, ...values.map((value) => (typeof value === 'number' ? 2 ** 53 - 1 : value)));
    expect((await list.client.get(withParameters(list.path, `after=${largest}`))).status).toBe(200);
  });
});

it('the next links return each record exactly once, whatever is added between which pages', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(12),
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.nat(2), { maxLength: 12 }),
      async (count, perPage, additions) => {
        const list = await organizations();
        for (let index = 0; index < count; index++) await list.add();
        const originals = recordsOf(await list.client.get(list.path));
        let page = 0;
        const addSome = async (): Promise<void> => {
          for (let more = additions[page++] ?? 0; more > 0; more--) await list.add();
        };
        const pages = await follow(list, 'next', `${list.path}?per_page=${perPage}`, addSome);
        expect(pages.flatMap(recordsOf)).toEqual(originals);
      },
    ),
    { numRuns: 8 },
  );
});

describe('a position', () => {
  const setUp = async () => {
    const fixture = await createFixture();
    for (let count = 0; count < 6; count++) await addFinding(fixture);
    const path = `/v1/organizations/${fixture.tenant.id}/findings/`;
    const next = async (filter: string): Promise<string> => {
      const link = linkOf(await fixture.client.get(`${path}?per_page=1${filter}`), 'next') as string;
      return new URLSearchParams(link.split('?')[1]).get('after') as string;
    };
    return { ...fixture, path, next };
  };

  it('is refused in a list with other filters, in another order, or of something else', async () => {
    const { client, path, next, event } = await setUp();
    const after = await next('&status=1&sort=severity');
    const wrong = [
      `${path}?after=${after}`,
      `${path}?after=${after}&status=2&sort=severity`,
      `${path}?after=${after}&status=1&sort=priority`,
      `${path}?after=${after}&status=1&sort=severity&q=example`,
      `${path}?before=${after}&status=1`,
      `/v1/events/${event.slug}/findings/?after=${after}&status=1&sort=severity`,
    ];
    for (const url of wrong) {
      const { status, body } = await client.get(url);
      expect([url, status]).toEqual([url, 400]);
      expect(body.description).toMatch(
        /^(after|before) is a position in a list with other filters or another order\. Omit it to start this list/,
      );
    }
  });

  it('allows another page size, another order of the parameters and a path without its slash', async () => {
    const { client, path, next } = await setUp();
    const after = await next('&status=1&sort=severity');
    const { status } = await client.get(
      `${path.slice(0, -1)}?sort=severity&after=${after}&per_page=50&status=1&count=1`,
    );
    expect(status).toBe(200);
  });

  it.each(['page=1', 'page=2', 'before='])('excludes %s', async (other) => {
    const { client, path, next } = await setUp();
    const after = await next('');
    const value = other === 'before=' ? after : '';
    const { status, body } = await client.get(`${path}?after=${after}&${other}${value}`);
    const names = other === 'before=' ? 'after and before' : 'page and after';
    expect([status, body.description]).toEqual([400, `${names} exclude each other: give only one of them.`]);
  });

  it('that is given twice is refused', async () => {
    const { client, path, next } = await setUp();
    const after = await next('');
    const { status, body } = await client.get(`${path}?after=${after}&after=${after}`);
    expect([status, body.description]).toEqual([400, 'after must be given once, as a position from a Link header.']);
  });

  it('continues the page numbers of the audit log', async () => {
    const list = await auditLogs();
    for (let count = 0; count < 5; count++) await list.add();
    const pages = await follow(list, 'next', `${list.path}&per_page=2`);
    expect(pages.map(({ body }) => [body.page, body.total])).toEqual([1, 2, 3].map((page) => [page, 5]));
    const previous = await list.client.get(linkOf(pages.at(-1) as Answer, 'prev') as string);
    expect([previous.body.page, recordsOf(previous)]).toEqual([2, recordsOf(pages[1] as Answer)]);
  });
});

describe('a list of thousands of records', () => {
  const count = 10_050;
  let integrator: Awaited<ReturnType<typeof make.integrator>>;
  let fixture: Fixture & { readonly findingId: number };
  let database: Postgres;

  beforeAll(async () => {
    database = new Postgres({ connectionString: (await testDatabase()).ownerUrl });
    await database.connect();
    integrator = await make.integrator();
    const tenant = await make.organization({ integratorId: integrator.integratorId });
    const { client } = await tenant.as('owner');
    const event = await make.event(tenant.id, { status: 'running', end_date: '2999-02-01' });
    const { id: findingId } = await make.finding(tenant.id);
    await query('UPDATE findings SET status = 5 WHERE id = $1', [findingId]);
    fixture = { tenant, client, event, findingId };
    await load(fixture, integrator.integratorId);
    await database.query('VACUUM ANALYZE');
  });

  afterAll(() => database.end());

  /** The same number of records in every list except beacons, which are at most 50, and smaller lists of other tenants. */
  async function load({ tenant, event, findingId }: typeof fixture, integratorId: number): Promise<void> {
    const others = await createFixture();
    const insert = (text: string, ...values: unknown[]) => database.query(text, [count, ...values]);
    await insert(
      `INSERT INTO organizations (name, folded_name, integrator_id) SELECT n, n, $2 FROM generate_series(1, $1::int) n`,
      integratorId,
    );
    for (const {
      id,
      event: { id: eventId },
    } of [
      { id: tenant.id, event },
      { id: others.tenant.id, event: others.event },
    ]) {
      await insert(
        `INSERT INTO assets (organization_id, value, type)
         SELECT $2::int, n || '.' || $2 || '.example.com', 'domain' FROM generate_series(1, $1::int) n`,
        id,
      );
      await insert(
        `INSERT INTO findings (organization_id, event_id, asset_value, title, severity, priority, status, fingerprint)
         SELECT $2, $3, n || '.example.com', 'Finding', n % 7, 1 + n % 5, 1 + n % 2, sha256(n::text::bytea)
         FROM generate_series(1, $1::int) n`,
        id,
        eventId,
      );
      await insert(
        `INSERT INTO jobs (uuid, organization_id, url) SELECT gen_random_uuid(), $2, 'https://example.com/' FROM generate_series(1, $1::int)`,
        id,
      );
    }
    await database.query(
      `INSERT INTO event_findings (event_id, finding_id, organization_id, severity, priority)
       SELECT event_id, id, organization_id, severity, priority FROM findings WHERE title = 'Finding' AND event_id IS NOT NULL`,
    );
    await insert(
      `INSERT INTO finding_history (organization_id, finding_id, status, actor_type, actor_id)
       SELECT $2, $3, 1, 'user', '1' FROM generate_series(1, $1::int)`,
      tenant.id,
      findingId,
    );
    await insert(
      `INSERT INTO event_scope (event_id, asset_id, organization_id, in_scope)
       SELECT $2, id, organization_id, true FROM assets WHERE organization_id = $3 ORDER BY id LIMIT $1`,
      event.id,
      tenant.id,
    );
    await insert(
      `INSERT INTO audit_logs (id, timestamp, organization_id, actor_type, actor_id, operation, operation_category,
         resource_type, resource_id, status)
       SELECT ('019aa3f4-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, now(), $2, 'user', '1', 'asset.create', 'assets',
         'asset', '1', 'success'
       FROM generate_series(1, $1::int) n`,
      tenant.id,
    );
  }

  const paths: readonly (readonly [name: string, path: () => string])[] = [
    ['organizations', () => '/v1/organizations/?'],
    ['assets', () => `/v1/organizations/${fixture.tenant.id}/assets/?`],
    ['findings', () => `/v1/organizations/${fixture.tenant.id}/findings/?`],
    ['findings by severity', () => `/v1/organizations/${fixture.tenant.id}/findings/?sort=severity`],
    ['findings by priority', () => `/v1/organizations/${fixture.tenant.id}/findings/?sort=priority`],
    ['findings in one status', () => `/v1/organizations/${fixture.tenant.id}/findings/?status=1`],
    ['findings of an event', () => `/v1/events/${fixture.event.slug}/findings/?`],
    ['findings of an event by severity', () => `/v1/events/${fixture.event.slug}/findings/?sort=severity`],
    ['findings of an event by priority', () => `/v1/events/${fixture.event.slug}/findings/?sort=priority`],
    ['findings of an event in one status', () => `/v1/events/${fixture.event.slug}/findings/?status=1`],
    ['the scope of an event', () => `/v1/events/${fixture.event.slug}/scope?`],
    ['the history of a finding', () => `/v1/findings/${fixture.findingId}/history?`],
    ['jobs', () => '/v1/jobs?'],
    ['the audit log', () => `/v1/audit-logs/?operation=asset.create&organization_id=${fixture.tenant.id}`],
  ];

  /** The blocks that the statement of a page reads. Others look up the owner of the list, or read what belongs to the records. */
  async function blocksOfPage(url: string): Promise<number> {
    const statements = await statementsOf(() => integrator.client.get(url));
    const ofPage = statements.filter(({ text }) => text.includes(' OFFSET '));
    expect(ofPage).toHaveLength(1);
    return blocksReadBy(database, ofPage[0] as (typeof ofPage)[number]);
  }

  it.each(paths)('%s: a late page costs what the first one costs, by its link', async (_name, path) => {
    const first = await blocksOfPage(`${path()}&per_page=10`);
    const isHalf = path().includes('status=1');
    const number = isHalf ? 450 : 900;
    const late = await integrator.client.get(`${path()}&per_page=10&page=${number}`);
    const next = linkOf(late, 'next') as string;
    const previous = linkOf(await integrator.client.get(next), 'prev') as string;
    const [byLink, back] = [await blocksOfPage(next), await blocksOfPage(previous)];
    const byNumber = await blocksOfPage(`${path()}&per_page=10&page=${number + 1}`);
    expect([byLink, back].filter((blocks) => blocks > first * 1.5 + 8)).toEqual([]);
    // The same page by its number reads all records before it, which shows that the measurement is able to find that.
    expect(byNumber).toBeGreaterThan(byLink);
  });

  it.each(paths)('%s: are counted up to 10,000', async (_name, path) => {
    const url = `${path()}&per_page=1&count=true`;
    const { headers } = await integrator.client.get(url);
    expect(headers.get('x-total-count')).toBe(path().includes('status=1') ? '5025' : '10000+');
    const head = await integrator.client.send('HEAD', url);
    expect(head.headers.get('x-total-count')).toBe(headers.get('x-total-count'));
    // PostgreSQL stops counting there, too.
    const statements = await statementsOf(() => integrator.client.get(url));
    const { text, values } = statements.find((statement) => / LIMIT \$\d+\) list$/.test(statement.text)) ?? {
      text: 'SELECT 0',
    };
    const { rows } = await database.query<{ total: number }>(text, values);
    expect(rows).toEqual([{ total: path().includes('status=1') ? 5_025 : 10_001 }]);
  });

  it.each(['status=1&sort=severity', 'status=1&sort=priority&severity=high'])(
    'findings of an event with %s read the covering index and no other finding',
    async (filter) => {
      const url = `/v1/events/${fixture.event.slug}/findings/?${filter}`;
      const statements = await statementsOf(() => integrator.client.get(url));
      const statement = statements.find(({ text }) => text.includes(' OFFSET '));
      const plan = await planOf(database, statement ?? { text: 'SELECT 1', values: [] });
      const reads = plan
        .filter((node) => node['Relation Name'] === 'findings')
        .map((node) => `${node['Node Type']} ${node['Index Name']}`);
      // The records of the page are then fetched by their ids.
      // Of the indexes with the columns of the filter, the planner takes any.
      expect(reads[0]).toMatch(/^Index Only Scan ix_findings_(listed|organization_due|titles)$/);
      expect(reads.slice(1)).toEqual([expect.stringMatching(/ (ix_findings_listed|pk_findings)$/)]);
    },
  );

  it('a search of a rare word reads the index of the tokens, and then what it has found by its keys', async () => {
    const url = `/v1/organizations/${fixture.tenant.id}/findings/?q=zebra&sort=severity`;
    const statements = await statementsOf(() => integrator.client.get(url));
    const indexesOf = async (part: string): Promise<unknown[]> => {
      const statement = statements.find(({ text }) => text.includes(part)) ?? { text: 'SELECT 1', values: [] };
      return (await planOf(database, statement)).flatMap((node) => node['Index Name'] ?? []);
    };
    expect(await indexesOf('::tsquery')).toEqual(['ix_finding_words_tokens']);
    const ofPage = await indexesOf('"acceptingOrganization"');
    expect(ofPage).toContain('pk_findings');
    expect(ofPage.filter((name) => /^ix_findings_(organization|listed|by_priority)/.test(String(name)))).toEqual([]);
  });

  it('findings with at least an EPSS score read the index of these scores, in each order and for any score', async () => {
    await database.query('BEGIN');
    try {
      await database.query(
        'UPDATE findings SET epss = power((id % 1000) / 1000.0, 8) WHERE organization_id = $1 AND id % 3 = 0',
        [fixture.tenant.id],
      );
      await database.query('ANALYZE findings');
      for (const list of [`organizations/${fixture.tenant.id}`, `events/${fixture.event.slug}`])
        for (const order of ['', '&sort=severity', '&sort=priority', '&sort=due_date']) {
          const url = `/v1/${list}/findings/?epss_min=0.99${order}`;
          const statements = await statementsOf(() => integrator.client.get(url));
          const statement = statements.find(({ text }) => text.includes(' OFFSET '));
          const plan = await genericPlanOf(database, statement ?? { text: 'SELECT 1', values: [] });
          expect([url, plan.map((node) => node['Index Name'])]).toEqual([
            url,
            expect.arrayContaining(['ix_findings_by_epss']),
          ]);
        }
    } finally {
      await database.query('ROLLBACK');
    }
  });

  it('exactly 10,000 records are counted exactly', async () => {
    const add = (entries: number) =>
      database.query(
        `INSERT INTO audit_logs (id, timestamp, organization_id, actor_type, actor_id, operation, operation_category,
           resource_type, resource_id, status)
         SELECT gen_random_uuid(), now(), $1, 'user', '1', 'asset.delete', 'assets', 'asset', '1', 'success'
         FROM generate_series(1, $2::int)`,
        [fixture.tenant.id, entries],
      );
    const path = `/v1/audit-logs/?organization_id=${fixture.tenant.id}&operation=asset.delete&count=true`;
    await add(10_000);
    expect((await integrator.client.get(path)).headers.get('x-total-count')).toBe('10000');
    await add(1);
    expect((await integrator.client.get(path)).headers.get('x-total-count')).toBe('10000+');
  });
});
