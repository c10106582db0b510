import { randomBytes } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { Relay } from '../../src/modules/beacons';
import { Metrics } from '../../src/platform/metrics/metrics';
import { SpanExporter } from '../../src/platform/tracing/span-exporter';
import { accept, OtlpReceiver, type ReceivedSpan } from '../../src/platform/tracing/testing/otlp-receiver';
import { type RunningApi, type RunningWorker, startApi, startWorker, useApi } from '../support/api';
import { type Answer, basic, Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, unique } from '../support/factories';
import { usePortal } from '../support/portal';
import { connectAgent } from '../support/test-agent';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
const collector = new OtlpReceiver();
const engine = { EGRESS_ALLOW: site.endpoint, ENGINE_PROBE_SPREAD_MS: '20', ENGINE_REQUESTS_PER_SECOND: '1000' };
const settings = (): Record<string, string> => ({ ...engine, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });

/** Without traces; the other one sends them to the collector. */
const silent = useApi(engine);
const make = new Factories(silent);
let traced: RunningApi;
/** The applications that send spans. */
const running: INestApplicationContext[] = [];

beforeAll(async () => {
  await Promise.all([collector.start(), site.start()]);
  traced = await startApi(settings());
  running.push(traced.app);
});
const portal = usePortal({
  get app() {
    return traced.app;
  },
} as RunningApi);
afterAll(async () => {
  await traced.app.close();
  await Promise.all([collector.stop(), site.stop()]);
});

const exporters = (): SpanExporter[] => running.map((app) => app.get(SpanExporter));

/** The spans of a trace, when it has these. */
async function spansOf(trace: string, ...names: string[]): Promise<ReceivedSpan[]> {
  await eventually(async () => {
    await Promise.all(exporters().map((exporter) => exporter.flush()));
    expect(collector.of(trace).map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  });
  return collector.of(trace);
}

const named = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
  const found = spans.find((span) => span.name === name);
  if (found === undefined) throw new Error(`no span ${name} among ${spans.map((span) => span.name).join(', ')}`);
  return found;
};

/** A finding on the site, and the path of its retest. */
async function tracedFinding({ url }: Pick<RunningApi, 'url'>) {
  const tenant = await make.organization();
  const { credentials } = await tenant.as('admin');
  const client = new Client(() => url, credentials);
  const asset = await make.asset(tenant.id, { value: site.url, type: 'url' });
  const check = { checkId: 'missing-nosniff', checkDefinition: { location: site.url } };
  const { id } = await make.finding(tenant.id, { asset: { ...asset, tier: null }, ...check });
  return { tenant, client, credentials, assetId: asset.id, path: `/v1/findings/${id}/retest` };
}

async function retest(client: Client, path: string, headers: Record<string, string>): Promise<Answer> {
  const answer = await client.post(path, undefined, headers);
  expect(answer.status).toBe(202);
  await eventually(async () => expect((await client.get(path)).body.status).toBe('finished'));
  return answer;
}

/** The ids of traces in the audit log, by operation. */
async function auditedTraces(client: Client, organizationId: number, status = 'success') {
  const { body } = await client.get(`/v1/audit-logs/?organization_id=${organizationId}&status=${status}`);
  const entries = body.audit_logs as { operation: string; metadata: { trace_id?: string } | null }[];
  return Object.fromEntries(entries.map(({ operation, metadata }) => [operation, metadata?.trace_id]));
}

const newTrace = (): string => randomBytes(16).toString('hex');
const CALLER_SPAN = '00f067aa0ba902b7';

describe('with a collector', () => {
  let worker: RunningWorker;

  beforeAll(async () => {
    worker = await startWorker(settings());
    running.push(worker.context);
    await traced.app.get(Relay).start();
  });
  afterAll(async () => {
    await traced.app.get(Relay).stop();
    await worker.stop();
    running.pop();
  });

  it('shows a request, its retest and the exchanges with the target in the trace of the caller', async () => {
    const { client, path, tenant } = await tracedFinding(traced);
    const trace = newTrace();
    site.headerNames.clear();
    const headers = {
      traceparent: `00-${trace}-${CALLER_SPAN}-01`,
      tracestate: 'vendor=value',
      'x-request-id': 'req-7',
    };
    const answer = await retest(client, path, headers);
    const spans = await spansOf(trace, 'transaction retest.end', 'work retest.run');

    const request = named(spans, 'POST /v1/findings/{finding_id}/retest/');
    expect(answer.headers.get('traceresponse')).toBe(`00-${trace}-${request.spanId}-01`);
    expect(request).toMatchObject({ parentSpanId: CALLER_SPAN, kind: 2, traceState: 'vendor=value', status: {} });
    expect(request.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/v1/findings/{finding_id}/retest/',
      'http.response.status_code': 202,
      'assay.server': 'api',
      'assay.request_id': 'req-7',
    });
    const work = named(spans, 'work retest.run');
    expect(work).toMatchObject({ parentSpanId: request.spanId, kind: 5, traceState: 'vendor=value' });
    expect(work.attributes).toEqual({
      'assay.work.kind': 'retest.run',
      'assay.work.reference': answer.body.uuid,
      'assay.work.attempt': 1,
      'assay.work.outcome': 'done',
      'assay.organization_id': tenant.id,
    });
    expect(named(spans, 'transaction retest.start').parentSpanId).toBe(request.spanId);
    for (const part of ['begin', 'end'])
      expect(named(spans, `transaction retest.${part}`).parentSpanId).toBe(work.spanId);
    const exchanges = spans.filter(({ name }) => name === 'exchange GET');
    expect(exchanges.length).toBeGreaterThan(0);
    expect(new Set(exchanges.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([work.spanId]));
    expect(new Set(exchanges.map(({ spanId }) => spanId)).size).toBe(exchanges.length);
    expect(exchanges.map(({ attributes }) => attributes)).toContainEqual({
      'assay.exchange.kind': 'http',
      'assay.exchange.turn': expect.any(Number),
      'assay.exchange.waited_ms': expect.any(Number),
      'assay.exchange.through_beacon': false,
      'assay.work.attempt': 1,
      'http.request.method': 'GET',
      'http.response.status_code': 200,
    });
    expect(await auditedTraces(client, tenant.id)).toMatchObject({
      'retest.start': trace,
      'retest.begin': trace,
      'retest.end': trace,
    });

    expect(site.headerNames.size).toBeGreaterThan(0);
    const ofTraces = [...site.headerNames].filter((name) => /trace|baggage|b3/.test(name));
    expect(ofTraces).toEqual([]);
  });

  it('names the check of an exchange, and calls all checks of organizations template', async () => {
    const { client, tenant, assetId } = await tracedFinding(traced);
    const [launch, record] = [newTrace(), newTrace()];
    const job = await client.post(
      '/v1/jobs/launch',
      { url: site.url },
      { traceparent: `00-${launch}-${CALLER_SPAN}-01` },
    );
    expect(job.status).toBe(201);
    const ofJob = await spansOf(launch, 'work job');
    const checks = new Set(ofJob.map(({ attributes }) => attributes['assay.check']));
    expect([...checks]).toEqual(expect.arrayContaining(['exposed-git', 'exposed-env']));

    const { slug } = await make.event(tenant.id, { name: unique('Traced'), status: 'running' });
    await client.post(`/v1/events/${slug}/scope/assets/`, { asset_id: assetId, in_scope: true });
    const http = `
id: purple-walrus
info: { name: Purple walrus }
http:
  - path: ['{{BaseURL}}/purple-walrus?token=hunter2']
    method: GET
    matchers: [{ type: word, part: header, words: [nosniff], negative: true }]
`;
    const draft = { title: 'A zebra finding', severity: 'low', asset_id: assetId, check: { http, location: site.url } };
    const headers = { traceparent: `00-${record}-${CALLER_SPAN}-01` };
    expect((await client.post(`/v1/events/${slug}/findings/`, draft, headers)).status).toBe(201);
    const ofTemplate = await spansOf(record, 'work finding.baseline');
    expect(ofTemplate.map(({ attributes }) => attributes['assay.check'])).toContain('template');
    const audited = await auditedTraces(client, tenant.id);
    expect(audited).toMatchObject({ 'job.launch': launch, 'job.finish': launch, 'finding.baseline': record });
  });

  it('shows a retest through a beacon, in the processes of the worker and of the relay', async () => {
    const tenant = await make.organization();
    const { credentials } = await tenant.as('admin');
    const client = new Client(() => traced.url, credentials);
    const beacon = await make.beacon(tenant.id, { allowed_cidrs: ['10.77.0.0/24'] });
    await connectAgent(traced.port, beacon, { ports: { '10.77.0.5:80': site.port } });
    const place = 'http://10.77.0.5/';
    const asset = await make.asset(tenant.id, { value: '10.77.0.5', type: 'ip', beaconId: beacon.id });
    const finding = await make.finding(tenant.id, {
      asset: { id: asset.id, value: '10.77.0.5', tier: null, beaconId: beacon.id },
      checkId: 'missing-nosniff',
      checkDefinition: { location: place },
    });
    const trace = newTrace();
    site.headerNames.clear();
    await retest(client, `/v1/findings/${finding.id}/retest`, { traceparent: `00-${trace}-${CALLER_SPAN}-01` });
    const spans = await spansOf(trace, 'work retest.run', 'relay link');
    const work = named(spans, 'work retest.run');
    expect(named(spans, 'relay link')).toMatchObject({
      parentSpanId: work.spanId,
      attributes: { 'assay.beacon_id': beacon.id, 'assay.organization_id': tenant.id, 'assay.work.attempt': 1 },
    });
    const exchanges = spans.filter(({ attributes }) => attributes['assay.exchange.through_beacon'] === true);
    expect(exchanges.length).toBeGreaterThan(0);
    expect([...site.headerNames].filter((name) => name.includes('trace'))).toEqual([]);
  });

  it('begins a trace for a request without one, and for work that no request added', async () => {
    const { client, tenant } = await tracedFinding(traced);
    const list = `/v1/organizations/${tenant.id}/findings/`;
    const { headers } = await client.get(`${list}?q=purple-walrus`);
    const [, trace = '', span] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/.exec(headers.get('traceresponse') ?? '') ?? [];
    const [request] = await spansOf(trace, 'GET /v1/organizations/{organization_id}/findings/');
    expect(request).toMatchObject({ spanId: span, name: 'GET /v1/organizations/{organization_id}/findings/' });
    expect(request).not.toHaveProperty('parentSpanId');

    const { id } = await make.organization();
    await query(`INSERT INTO work (kind, reference, organization_id) VALUES ('finding.due_dates', $1, $2)`, [
      `${id}`,
      id,
    ]);
    const ofOrganization = (): ReceivedSpan[] =>
      collector.spans.filter(({ attributes }) => attributes['assay.organization_id'] === id);
    await eventually(async () => {
      await Promise.all(exporters().map((exporter) => exporter.flush()));
      expect(ofOrganization().map(({ name }) => name)).toContain('work finding.due_dates');
    });
    expect(named(ofOrganization(), 'work finding.due_dates')).not.toHaveProperty('parentSpanId');
  });

  it.each([
    ['a traceparent that is not valid', { traceparent: `00-${'0'.repeat(32)}-${CALLER_SPAN}-01` }],
    ['two of them', { traceparent: `00-${'1'.repeat(32)}-${CALLER_SPAN}-01, 00-${'1'.repeat(32)}-${CALLER_SPAN}-01` }],
  ])('begins its own trace if the request has %s', async (_what, headers) => {
    const answer = await fetch(`${silent.url}/healthz`);
    expect(answer.headers.get('traceresponse')).toBeNull();
    const own = await fetch(`${traced.url}/healthz`, { headers });
    expect(own.status).toBe(200);
    expect(own.headers.get('traceresponse')).toMatch(/^00-(?!0{32}|1{32})[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  });

  it('exports nothing of a trace that the caller does not sample, but records its id', async () => {
    const { client, tenant, path } = await tracedFinding(traced);
    const trace = newTrace();
    const answer = await retest(client, path, { traceparent: `00-${trace}-${CALLER_SPAN}-00` });
    expect(answer.headers.get('traceresponse')).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`));
    expect(await auditedTraces(client, tenant.id)).toMatchObject({ 'retest.start': trace, 'retest.end': trace });
    await Promise.all(exporters().map((exporter) => exporter.flush()));
    expect(collector.of(trace)).toEqual([]);
  });

  it('shows requests of the portal, and requests without a route, without their paths', async () => {
    const trace = newTrace();
    const headers = { traceparent: `00-${trace}-${CALLER_SPAN}-01` };
    await fetch(`${portal.url}/sign-in?next=purple-walrus`, { headers });
    await fetch(`${traced.url}/v1/purple-walrus/7?token=hunter2`, { headers, method: 'PURGE' });
    const spans = await spansOf(trace, 'GET /sign-in', 'HTTP /v1/*path');
    expect(named(spans, 'GET /sign-in').attributes).toMatchObject({ 'assay.server': 'portal' });
    expect(named(spans, 'HTTP /v1/*path').attributes).toMatchObject({ 'http.request.method': '_OTHER' });
  });

  it('sends nothing of a tenant to the collector but ids', async () => {
    const { client, tenant, credentials, path } = await tracedFinding(traced);
    const trace = newTrace();
    await retest(client, path, { traceparent: `00-${trace}-${CALLER_SPAN}-01` });
    await client.get(`/v1/audit-logs/?organization_id=${tenant.id}&operation=purple-walrus`);
    await spansOf(trace, 'transaction retest.end', 'work retest.run');
    const sent = collector.requests.map(({ body }) => body).join('\n');
    const ofTenants = [
      tenant.name,
      'walrus',
      'zebra',
      'hunter2',
      '127.0.0.1',
      '10.77.0.5',
      `:${site.port}`,
      'nosniff/',
    ];
    const secrets = [credentials.accessKey, credentials.secret, basic(credentials).slice(6)];
    for (const text of [...ofTenants, ...secrets]) expect(sent.toLowerCase()).not.toContain(text.toLowerCase());
  });

  it('answers while the collector hangs, and counts what it could not send', async () => {
    const other = await startApi({ ...settings(), OTEL_TRACES_SAMPLER: 'always_on' });
    const released = new Promise<void>((resolve) => {
      collector.answer = (response) => {
        response.once('close', resolve);
      };
    });
    for (let count = 0; count < 5; count += 1) expect((await fetch(`${other.url}/healthz`)).status).toBe(200);
    const exporter = other.app.get(SpanExporter);
    void exporter.flush();
    for (let count = 0; count < 5; count += 1) expect((await fetch(`${other.url}/healthz`)).status).toBe(200);
    exporter.shutdownMs = 50;
    await other.app.close();
    await released;
    collector.answer = accept;
    await eventually(async () => {
      const { values } =
        (await other.app.get(Metrics).registry.getSingleMetric('assay_trace_spans_total')?.get()) ?? {};
      expect(values).toContainEqual({ labels: { result: 'dropped' }, value: 10 });
    });
  });
});

describe('without a collector', () => {
  let worker: RunningWorker;

  beforeAll(async () => {
    worker = await startWorker(engine);
  });
  afterAll(() => worker.stop());

  it('records the trace of the caller in the audit entries of the request and of its work, and sends nothing', async () => {
    const { client, tenant, path } = await tracedFinding(silent);
    const trace = newTrace();
    const traceparent = `00-${trace}-${CALLER_SPAN}-01`;
    const answer = await retest(client, path, { traceparent, tracestate: 'vendor=value' });
    expect(answer.headers.get('traceresponse')).toBe(traceparent);
    const [stored] = await query('SELECT traceparent, tracestate FROM work WHERE reference = $1', [answer.body.uuid]);
    expect(stored).toEqual({ traceparent, tracestate: 'vendor=value' });
    expect(await auditedTraces(client, tenant.id)).toMatchObject({
      'retest.start': trace,
      'retest.begin': trace,
      'retest.end': trace,
    });
    expect(collector.of(trace)).toEqual([]);
  });

  it('has no trace in the response and in the audit log without a caller that has begun one', async () => {
    const { client, tenant, path } = await tracedFinding(silent);
    const answer = await retest(client, path, { traceparent: 'not valid' });
    expect(answer.headers.get('traceresponse')).toBeNull();
    expect(Object.values(await auditedTraces(client, tenant.id)).filter((id) => id !== undefined)).toEqual([]);
    const [stored] = await query('SELECT traceparent, tracestate FROM work WHERE reference = $1', [answer.body.uuid]);
    expect(stored).toEqual({ traceparent: null, tracestate: null });
  });

  it('records the trace of a refused change', async () => {
    const { client, tenant } = await tracedFinding(silent);
    const trace = newTrace();
    const headers = { traceparent: `00-${trace}-${CALLER_SPAN}-01` };
    expect((await client.post('/v1/assets/', { organization_id: tenant.id }, headers)).status).toBe(400);
    expect(await auditedTraces(client, tenant.id, 'failure')).toEqual({ 'asset.create': trace });
  });
});
