import { Logger } from '@nestjs/common';
import { loadConfig } from '../config/load-config';
import { Metrics } from '../metrics/metrics';
import type { RecordedSpan } from './otlp';
import { SpanExporter } from './span-exporter';
import { accept, OtlpReceiver } from './testing/otlp-receiver';

const receiver = new OtlpReceiver();
let metrics = new Metrics();
let exporter: SpanExporter;
let warned: jest.SpyInstance;
let logged: jest.SpyInstance;

beforeAll(() => receiver.start());
afterAll(() => receiver.stop());

function exporterTo(endpoint: string): SpanExporter {
  metrics = new Metrics();
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20hunter2',
    OTEL_SERVICE_NAME: 'assay-staging',
  };
  return new SpanExporter(loadConfig({ DATABASE_URL: 'postgres://localhost', ...settings }), metrics);
}

beforeEach(() => {
  warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  logged = jest.spyOn(Logger.prototype, 'log').mockReturnValue();
  receiver.answer = accept;
  receiver.requests.length = 0;
  receiver.spans.length = 0;
  exporter = exporterTo(receiver.url);
});
afterEach(async () => {
  exporter.shutdownMs = 50;
  await exporter.onApplicationShutdown();
  jest.restoreAllMocks();
});

const spanNamed = (name: string): RecordedSpan => ({
  context: { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', sampled: true, state: 'a=b' },
  parentSpanId: '0000000000000001',
  kind: 'server',
  name,
  started: 1_763_769_600_000,
  ended: 1_763_769_600_001.5,
  attributes: { text: 'a', whole: 3, part: 0.5, truth: true, missing: undefined, none: null },
  failed: true,
});

const addMany = (count: number): void => {
  for (let number = 0; number < count; number += 1) exporter.add(spanNamed(`span ${number}`));
};

async function counted(): Promise<Record<string, number>> {
  const metric = await metrics.registry.getSingleMetric('assay_trace_spans_total')?.get();
  return Object.fromEntries((metric?.values ?? []).map(({ labels, value }) => [String(labels['result']), value]));
}

it('sends spans as OTLP in JSON, with the headers and the name of the service', async () => {
  exporter.add(spanNamed('GET /v1/jobs/{uuid}'));
  await exporter.flush();
  expect(receiver.requests).toHaveLength(1);
  expect(receiver.requests[0]).toMatchObject({
    path: '/v1/traces',
    headers: { 'content-type': 'application/json', authorization: 'Bearer hunter2' },
  });
  expect(receiver.resources.at(-1)).toMatchObject({ 'service.name': 'assay-staging' });
  expect(receiver.spans).toEqual([
    {
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      spanId: '00f067aa0ba902b7',
      traceState: 'a=b',
      parentSpanId: '0000000000000001',
      name: 'GET /v1/jobs/{uuid}',
      kind: 2,
      startTimeUnixNano: '1763769600000000000',
      endTimeUnixNano: '1763769600001500000',
      attributes: { text: 'a', whole: 3, part: 0.5, truth: true },
      status: { code: 2 },
    },
  ]);
  expect(await counted()).toEqual({ exported: 1, dropped: 0, rejected: 0 });
});

it('sends many spans in several requests', async () => {
  addMany(1_100);
  await exporter.flush();
  expect(receiver.spans).toHaveLength(1_100);
  expect(receiver.requests).toHaveLength(3);
});

it('keeps a bounded number of spans while the collector does not answer, counts the others, and ends', async () => {
  const received = new Promise<void>((resolve) => (receiver.answer = () => resolve()));
  addMany(10_000);
  expect(await counted()).toEqual({ exported: 0, dropped: 10_000 - 4_096, rejected: 0 });
  const flushed = exporter.flush();
  await received;
  exporter.shutdownMs = 50;
  await exporter.onApplicationShutdown();
  await flushed;
  expect(receiver.requests).toHaveLength(1);
  expect(await counted()).toEqual({ exported: 0, dropped: 10_000, rejected: 0 });
});

it.each([429, 502, 503, 504])('tries again after status %d, when the collector allows it', async (status) => {
  receiver.answer = (response) => {
    receiver.answer = accept;
    response.writeHead(status, { 'retry-after': '0' }).end();
  };
  exporter.add(spanNamed('again'));
  await exporter.flush();
  expect(receiver.requests).toHaveLength(2);
  expect(await counted()).toEqual({ exported: 1, dropped: 0, rejected: 0 });
  expect(warned).toHaveBeenCalledTimes(1);
  expect(logged).toHaveBeenCalledTimes(1);
});

it('gives up after five attempts, and logs one line for many failures, without the address and the headers', async () => {
  receiver.answer = (response) => response.writeHead(503, { 'retry-after': '0' }).end('hunter2');
  addMany(2_000);
  await exporter.flush();
  expect(receiver.requests).toHaveLength(20);
  expect(await counted()).toEqual({ exported: 0, dropped: 2_000, rejected: 0 });
  expect(warned.mock.calls).toEqual([
    [expect.stringMatching(/^Traces cannot be sent to the collector \(status 503\)\. Nothing else is affected\./)],
  ]);
});

it.each([400, 401, 404, 500])('does not send spans again that the collector refused with %d', async (status) => {
  receiver.answer = (response) => response.writeHead(status).end();
  exporter.add(spanNamed('refused'));
  await exporter.flush();
  expect(receiver.requests).toHaveLength(1);
  expect(await counted()).toEqual({ exported: 0, dropped: 0, rejected: 1 });
});

it('does not follow a redirect, because the headers are for the collector only', async () => {
  receiver.answer = (response) => {
    receiver.answer = accept;
    response.writeHead(307, { location: `${receiver.url}/elsewhere` }).end();
  };
  exporter.add(spanNamed('redirected'));
  await exporter.flush();
  expect(receiver.requests.map(({ path }) => path)).toEqual(['/v1/traces']);
  expect(await counted()).toEqual({ exported: 0, dropped: 0, rejected: 1 });
});

it('counts the spans that the collector refused in an answer with status 200', async () => {
  receiver.answer = (response) => response.end('{"partialSuccess":{"rejectedSpans":"2"}}');
  addMany(5);
  await exporter.flush();
  expect(await counted()).toEqual({ exported: 3, dropped: 0, rejected: 2 });
});

it('sends the spans that wait when the process ends, and does not wait for the next attempt', async () => {
  exporter.add(spanNamed('last'));
  await exporter.onApplicationShutdown();
  expect(receiver.spans).toHaveLength(1);

  exporter = exporterTo(receiver.url);
  const refused = new Promise<void>((resolve) => {
    receiver.answer = (response) => {
      response.once('close', resolve);
      response.writeHead(503, { 'retry-after': '30', connection: 'close' }).end();
    };
  });
  exporter.add(spanNamed('lost'));
  const flushed = exporter.flush();
  await refused;
  exporter.shutdownMs = 60_000;
  await exporter.onApplicationShutdown();
  await flushed;
  expect(await counted()).toEqual({ exported: 0, dropped: 1, rejected: 0 });
});

it('names the error if there is no collector', async () => {
  const gone = new OtlpReceiver();
  await gone.start();
  exporter = exporterTo(gone.url);
  await gone.stop();
  exporter.add(spanNamed('nowhere'));
  exporter.shutdownMs = 60_000;
  await exporter.onApplicationShutdown();
  expect(warned.mock.calls).toEqual([[expect.stringContaining('(ECONNREFUSED)')]]);
  expect(await counted()).toEqual({ exported: 0, dropped: 1, rejected: 0 });
});
