import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { createOrganization } from '../../src/apps/cli/identity-actions';
import { LibraryLoader } from '../../src/modules/checks';
import { Config } from '../../src/platform/config/load-config';
import { type DeclaredMetric, Metrics } from '../../src/platform/metrics/metrics';
import { CALLS_METRIC } from '../../src/apps/callbacks/recorder';
import { MetricsServer } from '../../src/platform/metrics/metrics-server';
import { type RunningWorker, startWorker, useApi } from '../support/api';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, unique } from '../support/factories';
import { runJob } from '../support/jobs';
import { scrape, type Scrape, valueOf } from '../support/metrics';
import { Browser, usePortal } from '../support/portal';
import { namesInExpression } from '../support/promql';
import { requestRetest } from '../support/retests';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
const settings = {
  EGRESS_ALLOW: site.endpoint,
  ENGINE_PROBE_SPREAD_MS: '20',
  ENGINE_REQUESTS_PER_SECOND: '1000',
  METRICS_PORT: '0',
};
const api = useApi(settings);
const portal = usePortal(api, settings);
const make = new Factories(api);
let worker: RunningWorker;
let apiMetrics = '';
let workerMetrics = '';

beforeAll(async () => {
  await site.start();
  worker = await startWorker(settings);
  apiMetrics = (await api.app.get(MetricsServer).start()) ?? '';
  workerMetrics = (await worker.context.get(MetricsServer).start()) ?? '';
});
afterAll(async () => {
  await worker.stop();
  await site.stop();
});

async function scrapeBoth(): Promise<Scrape> {
  const scrapes = [await scrape(apiMetrics), await scrape(workerMetrics)];
  return { text: scrapes.map(({ text }) => text).join(''), series: scrapes.flatMap(({ series }) => series) };
}

const yamlCheck = `
id: missing-nosniff
info: { name: Purple walrus }
http:
  - path: ['{{BaseURL}}/purple-walrus']
    matchers: [{ type: word, part: header, words: [nosniff], negative: true }]
`;

it('shows what a tenant did, and nothing of the tenant', async () => {
  const before = await scrapeBoth();
  const name = unique('Recognizable Zebra');
  const organizationId = await createOrganization(api.app, name, undefined, null);
  const { client, credentials } = await make.member(organizationId, 'admin');
  const { id: assetId } = await make.asset(organizationId, { value: site.url, type: 'url' });
  const { slug } = await make.event(organizationId, { name: unique('Zebra Event'), status: 'running' });
  await client.post(`/v1/events/${slug}/scope/assets/`, { asset_id: assetId, in_scope: true });
  const retests: string[] = [];
  for (const check of [
    { id: 'missing-nosniff', location: site.url },
    { http: yamlCheck, location: site.url },
  ]) {
    const draft = { title: 'A zebra finding', severity: 'low', asset_id: assetId, check };
    const { status, body } = await client.post(`/v1/events/${slug}/findings/`, draft);
    expect([status, body.description]).toEqual([201, expect.any(String)]);
    const retest = await requestRetest({ client, path: `/v1/findings/${body.id}/retest` });
    await eventually(async () => expect((await client.get(retest.path)).body.status).toBe('finished'));
    retests.push(retest.uuid);
  }
  await api.app.get(LibraryLoader).load([{ name: 'a.yaml', source: yamlCheck }], { via: 'test' });
  const job = await runJob(client, site.url, { checks: ['built-in', 'http:missing-nosniff'] });
  await client.get('/v1/findings/?q=purple-walrus');
  await fetch(`${api.url}/v1/organizations/`, { headers: { authorization: `Basic ${btoa('zebra:walrus')}` } });
  const browser = new Browser(portal);
  await browser.submit('/sign-in', '/sign-in', { email: 'zebra@walrus.example', password: 'wrong' });
  const after = await scrapeBoth();

  const grown = (metric: string, labels?: Record<string, string>): number =>
    valueOf(after, metric, labels) - valueOf(before, metric, labels);
  expect(grown('assay_http_requests_total', { server: 'api', route: '/v1/jobs/launch', status: '201' })).toBe(1);
  expect(grown('assay_http_requests_total', { server: 'portal', route: '/sign-in', method: 'POST' })).toBe(1);
  expect(grown('assay_http_request_duration_seconds_count', { route: '/v1/jobs/launch', method: 'POST' })).toBe(1);
  const verdict = { source: 'retest', result: 'still_vulnerable' };
  expect(grown('assay_verdicts_total', { ...verdict, check: 'missing-nosniff' })).toBe(1);
  expect(grown('assay_verdicts_total', { ...verdict, check: 'template' })).toBe(1);
  expect(grown('assay_verdicts_total', { source: 'job', check: 'missing-nosniff', result: 'vulnerable' })).toBe(1);
  expect(grown('assay_verdicts_total', { source: 'job', check: 'template' })).toBe(1);
  expect(grown('assay_verdicts_total', { source: 'initial_verification', check: 'template' })).toBe(1);
  expect(grown('assay_work_attempts_total', { kind: 'retest.run', outcome: 'done' })).toBe(2);
  expect(grown('assay_work_duration_seconds_count', { kind: 'job' })).toBe(1);
  expect(grown('assay_authentication_failures_total', { credentials: 'api_key', reason: 'refused' })).toBe(1);
  expect(grown('assay_sign_in_failures_total', { step: 'password', reason: 'refused' })).toBe(1);
  expect(grown('assay_audit_entries_total', { status: 'success' })).toBeGreaterThan(5);
  expect(valueOf(after, 'assay_audit_entries_total', { status: 'unwritten' })).toBe(0);
  expect(grown('assay_database_connection_wait_seconds_count')).toBeGreaterThan(0);

  const { accessKey, secret } = credentials;
  const ofTenant = ['zebra', 'walrus', name, slug, String(site.port), '127.0.0.1', accessKey, secret, job, ...retests];
  // Without the values: the digits of a port can be part of any number.
  const words = after.text.replaceAll(/ [\d.e+-]+$/gm, '').toLowerCase();
  for (const text of ofTenant) expect(words).not.toContain(text.toLowerCase());
});

it('has as many series after hostile paths and methods as before', async () => {
  const { client } = await make.integrator();
  const attack = async (round: string, methods: readonly string[]): Promise<void> => {
    for (let index = 0; index < 30; index += 1) {
      const path = encodeURIComponent(`${round}/${index}`);
      await client.get(`/v1/${path}`);
      await client.get(`/v1/findings/${index}0000${round.length}/`);
      await fetch(`${portal.url}/${path}`, { redirect: 'manual' });
      await fetch(`${api.url}/${path}/../%ff`, {
        method: methods[index % methods.length],
      });
    }
  };
  await attack('first', ['PROPFIND', 'MKCOL', 'REPORT']);
  const before = (await scrape(apiMetrics)).series.filter(({ name }) => name.startsWith('assay_http'));
  await attack('a second attack', ['PURGE', 'LINK', 'MERGE']);
  const after = (await scrape(apiMetrics)).series.filter(({ name }) => name.startsWith('assay_http'));
  expect(after).toHaveLength(before.length);
  const other = { series: after, text: '' };
  expect(valueOf(other, 'assay_http_requests_total', { method: 'other' })).toBeGreaterThanOrEqual(60);
  expect(valueOf(other, 'assay_http_requests_total', { route: '/v1/findings/{finding_id}/' })).toBeGreaterThanOrEqual(
    60,
  );
});

it('counts a request whose client disconnected', async () => {
  const aborted = async (): Promise<number> =>
    valueOf(await scrape(apiMetrics), 'assay_http_requests_total', { status: '499' });
  const before = await aborted();
  const { credentials } = await make.integrator();
  const authorization = `Basic ${btoa(`${credentials.accessKey}:${credentials.secret}`)}`;
  const headers = { authorization, 'content-type': 'application/json', 'content-length': '1000' };
  const request = httpRequest(`${api.url}/v1/organizations/`, { method: 'POST', headers });
  request.on('error', () => undefined);
  request.write('{', () => setImmediate(() => request.destroy()));
  await eventually(async () => expect(await aborted()).toBe(before + 1));
});

it('shows how long work waits, by kind', async () => {
  await worker.stop();
  const { id } = await make.organization();
  await query(
    `INSERT INTO work (kind, reference, organization_id, run_at)
     SELECT 'job', 'metrics ' || number, $1, now() - number * interval '100 s' FROM generate_series(1, 3) number`,
    [id],
  );
  await query(
    `INSERT INTO work (kind, reference, run_at) VALUES ('mail.send', 'metrics later', now() + interval '1 h')`,
  );
  const scraped = await scrape(apiMetrics);
  expect(valueOf(scraped, 'assay_work_unfinished', { kind: 'job', state: 'waiting' })).toBe(3);
  expect(valueOf(scraped, 'assay_work_unfinished', { kind: 'mail.send', state: 'waiting' })).toBe(1);
  expect(valueOf(scraped, 'assay_work_oldest_waiting_seconds', { kind: 'job' })).toBeGreaterThanOrEqual(300);
  expect(valueOf(scraped, 'assay_work_oldest_waiting_seconds', { kind: 'mail.send' })).toBe(0);
  await query(`DELETE FROM work WHERE reference LIKE 'metrics %'`);
  worker = await startWorker(settings);
  workerMetrics = (await worker.context.get(MetricsServer).start()) ?? '';
});

it('shows the slots of a worker, and none in the process of the API', async () => {
  expect(valueOf(await scrape(workerMetrics), 'assay_worker_slots', { kind: 'report.generate' })).toBe(2);
  expect((await scrape(apiMetrics)).text).not.toContain('assay_worker_slots');
});

it('answers in the format that Prometheus asks for, with every metric that it has in the other format', async () => {
  // The header of Prometheus 2.
  const accept =
    'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';
  const shown = new Set<string>();
  for (const address of [apiMetrics, workerMetrics]) {
    const open = await fetch(address, { headers: { accept } });
    expect(open.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    const text = await open.text();
    expect(text).toContain('# TYPE assay_work_attempts counter\n');
    expect(text.endsWith('# EOF\n')).toBe(true);
    const plain = await scrape(address);
    expect(plain.text).toContain('# TYPE assay_work_attempts_total counter\n');
    // Those of Node depend on what it does at this moment.
    const namesOf = ({ series }: Scrape): string[] =>
      [...new Set(series.map(({ name }) => name))].filter((name) => name.startsWith('assay_')).toSorted();
    // What works in the background may use one for the first time between the two.
    await eventually(async () =>
      expect(namesOf(await scrape(address, accept))).toEqual(namesOf(await scrape(address))),
    );
    for (const [, name = '', type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm))
      shown.add(type === 'counter' ? `${name}_total` : name);
  }
  expect(declared().filter(({ name }) => !shown.has(name))).toEqual([]);
});

it('shows a metric that is declared after the start in the format that Prometheus asks for', async () => {
  const metrics = new Metrics();
  const server = new MetricsServer(worker.context.get(Config), metrics);
  const address = (await server.start()) ?? '';
  const accept = 'application/openmetrics-text;version=1.0.0';
  expect((await scrape(address, accept)).text).not.toContain('assay_test');
  metrics.gauge({ name: 'assay_test', help: 'A test' }).set({}, 7);
  metrics.counter({ name: 'assay_tests_total', help: 'A test' })({}, 3);
  const { series } = await scrape(address, accept);
  const own = series.filter(({ name }) => name.startsWith('assay_test'));
  expect(own.map(({ name, value }) => [name, value])).toEqual([
    ['assay_test', 7],
    ['assay_tests_total', 3],
  ]);
  await server.onApplicationShutdown();
});

it('answers only reads of /metrics and /healthz', async () => {
  const { origin } = new URL(apiMetrics);
  expect(await (await fetch(`${origin}/healthz`)).text()).toBe('ok\n');
  expect((await fetch(`${origin}/v1/organizations/`)).status).toBe(404);
  expect((await fetch(apiMetrics, { method: 'POST' })).status).toBe(405);
  expect((await fetch(apiMetrics, { method: 'HEAD' })).status).toBe(200);
});

it('names the setting when its port is in use', async () => {
  const { port } = new URL(apiMetrics);
  const second = await startWorker({ ...settings, METRICS_PORT: port });
  await expect(second.context.get(MetricsServer).start()).rejects.toThrow(
    `the metrics cannot listen on port ${port} of 127.0.0.1 (EADDRINUSE): set METRICS_HOST, and METRICS_PORT`,
  );
  await second.stop();
});

const fileOf = (path: string): string => readFileSync(join(__dirname, '../..', path), 'utf8');

const declared = (): DeclaredMetric[] => {
  const all = [api.app.get(Metrics), worker.context.get(Metrics)].flatMap((metrics) => metrics.declared);
  return [...new Map(all.map((metric) => [metric.name, metric])).values()];
};

it('docs/observability.md lists every metric with its type, its labels and its meaning', () => {
  const documented = [...fileOf('docs/observability.md').matchAll(/^\| `(assay_\w+)`[^\n]*$/gm)].map(([line]) =>
    line.split('|').map((cell) => cell.trim()),
  );
  const rows = documented.map(([, name, type, labels, help]) => [name, type, labels, help]);
  const listener = new Metrics();
  listener.counter(CALLS_METRIC);
  const expected = [...declared(), ...listener.declared.filter(({ name }) => name === CALLS_METRIC.name)].map(
    ({ name, type, labels, help }) => [`\`${name}\``, type, labels.map((label) => `\`${label}\``).join(', '), help],
  );
  expect(rows.toSorted()).toEqual(expected.toSorted());
});

interface Alerts {
  readonly groups: {
    readonly rules: {
      readonly alert: string;
      readonly expr: string;
      readonly annotations: { readonly runbook_url?: string };
    }[];
  }[];
}

const alerts = () => (load(fileOf('deploy/prometheus/alerts.yml')) as Alerts).groups.flatMap(({ rules }) => rules);

interface Dashboard {
  readonly panels: { readonly targets?: { readonly expr: string; readonly legendFormat: string }[] }[];
}

/** Every expression, with the labels that its texts use. */
function expressions(): { expression: string; texts: string }[] {
  const dashboard = JSON.parse(fileOf('deploy/grafana/assay.json')) as Dashboard;
  return [
    ...alerts().map(({ expr, annotations }) => ({ expression: expr, texts: JSON.stringify(annotations) })),
    ...dashboard.panels.flatMap(({ targets = [] }) =>
      targets.map(({ expr, legendFormat }) => ({ expression: expr, texts: legendFormat })),
    ),
  ];
}

it('the dashboard and the alerts use only metrics and labels that exist', async () => {
  const { series } = await scrapeBoth();
  const labelsOf = new Map<string, Set<string>>([['up', new Set()]]);
  for (const { name, type, labels } of declared())
    for (const suffix of type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''])
      labelsOf.set(name + suffix, new Set([...labels, ...(suffix === '_bucket' ? ['le'] : [])]));
  for (const { name, labels } of series)
    if (!name.startsWith('assay_')) labelsOf.set(name, new Set(Object.keys(labels)));
  // Prometheus adds these to every metric.
  const added = ['job', 'instance'];
  const problems: string[] = [];
  const used = new Set<string>();
  for (const { expression, texts } of expressions()) {
    const { metrics, groupLabels } = namesInExpression(expression);
    const known = new Set([...metrics.flatMap(({ name }) => [...(labelsOf.get(name) ?? [])]), ...added]);
    if (metrics.length === 0) problems.push(`${expression} names no metric`);
    for (const { name, labels } of metrics) {
      used.add(name);
      const own = labelsOf.get(name);
      if (own === undefined) problems.push(`${name} does not exist: ${expression}`);
      for (const label of labels)
        if (own !== undefined && !own.has(label) && !added.includes(label))
          problems.push(`${name} has no label ${label}: ${expression}`);
    }
    const inTexts = [...texts.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, label = '']) => label);
    for (const label of [...groupLabels, ...inTexts])
      if (!known.has(label)) problems.push(`there is no label ${label}: ${expression}`);
  }
  expect(problems).toEqual([]);
  const unused = declared().filter(({ name }) => ![...used].some((one) => one.startsWith(name)));
  expect(unused).toEqual([]);
});

it('processes export every metric of the dashboard and the alerts', async () => {
  const accept = 'application/openmetrics-text;version=1.0.0';
  const shown = new Set(['up']);
  for (const address of [apiMetrics, workerMetrics])
    for (const [, name = '', type] of (await scrape(address, accept)).text.matchAll(/^# TYPE (\w+) (\w+)$/gm))
      for (const suffix of { counter: ['_total'], histogram: ['_bucket', '_sum', '_count'] }[type ?? ''] ?? [''])
        shown.add(name + suffix);
  const used = expressions().flatMap(({ expression }) => namesInExpression(expression).metrics);
  expect(used.length).toBeGreaterThan(30);
  expect(used.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([]);
});

it('docs/runbooks.md has a command for each alert, which leads to it', () => {
  const runbooks = [...fileOf('docs/runbooks.md').matchAll(/^### (\w+)\n\n([^#]*)/gm)];
  expect(runbooks.map(([, name]) => name).toSorted()).toEqual(
    alerts()
      .map(({ alert }) => alert)
      .toSorted(),
  );
  expect(runbooks.filter(([, , text = '']) => !text.includes('`')).map(([, name]) => name)).toEqual([]);
  for (const { alert, annotations } of alerts())
    expect(annotations.runbook_url).toMatch(new RegExp(`^https://.*/runbooks\\.md#${alert.toLowerCase()}$`));
});

it('shows what an operator must know of the installation', async () => {
  const { id } = await make.organization();
  await query(
    `INSERT INTO stored_rows (organization_id, table_name, rows, bytes) VALUES ($1, 'jobs', 95000, 0), ($1, 'domains', 6000, 0)`,
    [id],
  );
  await query(`INSERT INTO stored_rows_near_limit (organization_id, name) VALUES ($1, 'jobs'), ($1, 'domains')`, [id]);
  const scraped = await scrape(apiMetrics);
  expect(valueOf(scraped, 'assay_organizations_near_limit')).toBe(1);
  expect(valueOf(scraped, 'assay_audit_months_ahead')).toBe(3);
  expect(valueOf(scraped, 'assay_degraded')).toBe(0);
  expect(valueOf(scraped, 'assay_build_info', { node: process.version })).toBe(1);
  expect(valueOf(scraped, 'assay_feed_waiting_changes')).toBeGreaterThanOrEqual(0);
  await query('DELETE FROM stored_rows WHERE organization_id = $1', [id]);
});
