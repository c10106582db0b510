import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { collectDefaultMetrics, type Counter, type Metric, type OpenMetricsContentType, Registry } from 'prom-client';
import { Config, ConfigError } from '../config/load-config';
import { Metrics } from './metrics';

const REQUEST_TIMEOUT_MS = 5_000;
const MAX_CONNECTIONS = 32;
const OPEN_METRICS = 'application/openmetrics-text';

/**
 * Answers `/metrics` on a port of its own, without credentials: its address must not be reachable from outside. `/healthz` reads
 * nothing, so it shows that the event loop turns: a process that hangs accepts connections and answers none.
 */
@Injectable()
export class MetricsServer implements OnApplicationShutdown {
  private server: Server | undefined;
  constructor(
    private readonly config: Config,
    private readonly metrics: Metrics,
  ) {}

  /** Returns the address; undefined if it is turned off. */
  async start(): Promise<string | undefined> {
    const { METRICS_PORT: port, METRICS_HOST: host } = this.config;
    if (port === 'off') return undefined;
    const { registry } = this.metrics;
    collectDefaultMetrics({ register: registry });
    const server = createServer((request, response) => void this.answer(request, response));
    server.requestTimeout = REQUEST_TIMEOUT_MS;
    server.headersTimeout = REQUEST_TIMEOUT_MS;
    server.maxConnections = MAX_CONNECTIONS;
    server.listen(port, host);
    try {
      await once(server, 'listening');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      throw new ConfigError([
        `the metrics cannot listen on port ${port} of ${host} (${code}): set METRICS_HOST, and METRICS_PORT to another port or to off. Each process needs a port of its own`,
      ]);
    }
    this.server = server;
    const address = server.address() as AddressInfo;
    const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
    return `http://${shown}:${address.port}/metrics`;
  }

  /** Last, so that the shutdown can be watched. */
  async onApplicationShutdown(): Promise<void> {
    const { server } = this;
    if (server === undefined) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path] = (request.url ?? '').split('?');
    if (path === '/healthz') return void response.writeHead(200).end('ok\n');
    if (path !== '/metrics') return void response.writeHead(404).end('Only /metrics and /healthz are here.\n');
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return void response.writeHead(405, { Allow: 'GET, HEAD' }).end();
    const isOpen = request.headers.accept?.includes(OPEN_METRICS) === true;
    try {
      await this.metrics.refresh();
      const registry = isOpen ? openMetricsOf(this.metrics.registry) : this.metrics.registry;
      const body = await registry.metrics();
      response.writeHead(200, { 'Content-Type': registry.contentType }).end(body);
    } catch (error) {
      response.writeHead(500).end(`${String(error)}\n`);
    }
  }
}

/** The same metrics in the other format: those of this moment, because some are registered after the server has started. */
function openMetricsOf(registry: Registry): Registry<OpenMetricsContentType> {
  const open = new Registry<OpenMetricsContentType>();
  open.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  for (const { name, type } of registry.getMetricsAsArray()) {
    const metric = registry.getSingleMetric(name);
    if (metric === undefined) continue;
    const isCounter = (type as unknown) === 'counter';
    open.registerMetric(isCounter ? openMetricsCounter(name, metric as Counter) : metric);
  }
  return open;
}

/** The registry changes the name of a counter for this format, which must not change that of the other format. */
const openMetricsCounter = (name: string, counter: Counter): Metric =>
  ({
    name,
    type: 'counter',
    get: async () => ({ ...(await counter.get()), name: name.replace(/_total$/, '') }),
  }) as unknown as Metric;
