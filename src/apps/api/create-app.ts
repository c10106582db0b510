import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express } from 'express';
import type { Config } from '../../platform/config/load-config';
import type { ApiRequest, ApiResponse } from '../../platform/api/api-request';
import { TrackerHooks } from '../../modules/trackers';
import { DatabaseContext } from '../../platform/database/database-context';
import { setApiUrl } from '../../platform/http/api-url';
import { escapeUndecodablePath } from '../../platform/http/escape-undecodable-path';
import { requireHostHeader } from '../../platform/http/require-host-header';
import { ErrorFilter } from '../../platform/http/error.filter';
import { HttpAdapter } from '../../platform/http/http-adapter';
import { limitConnections } from '../../platform/http/limit-connections';
import { methodNotAllowed, routeNotFound } from '../../platform/http/route-errors';
import { requestId } from '../../platform/http/request-id';
import { responseHeaders } from '../../platform/http/response-headers';
import { trustedProxies } from '../../platform/http/trusted-proxies';
import { type Log, NestLog } from '../../platform/logging/log';
import { requestLog } from '../../platform/logging/request-log';
import { type EndedRequest, RequestMetrics } from '../../platform/metrics/request-metrics';
import { RequestTraces } from '../../platform/tracing/request-traces';
import { serveAgents } from './agents';
import { ApiModule } from './api.module';
import { serveClient } from './client-program';
import { serveDocumentation } from './documentation';
import { serveTrackerHooks } from './tracker-hooks';

/** Creates the API, ready to listen. */
export async function createApp(config: Config, log: Log): Promise<NestExpressApplication> {
  const adapter = new HttpAdapter(config);
  const app = await NestFactory.create<NestExpressApplication>(ApiModule.with(config), adapter, {
    logger: new NestLog(log),
    bodyParser: false,
    abortOnError: false,
  });
  app.set('trust proxy', config.TRUSTED_PROXIES.length > 0 ? config.TRUSTED_PROXIES : false);
  setApiUrl(app, config);
  const metrics = app.get(RequestMetrics);
  const traces = app.get(RequestTraces);
  const observe = (ended: EndedRequest, request: ApiRequest): void => {
    metrics.observe('api', ended);
    traces.end(request, 'api', ended);
  };
  const database = app.get(DatabaseContext);
  app.use((_request: unknown, _response: unknown, next: () => void) => database.runRequest(next));
  app.use(requestId, traces.begin, requestLog(log, observe));
  app.use(responseHeaders, requireHostHeader, escapeUndecodablePath);
  limitConnections(app.getHttpServer(), {
    perAddress: config.CONNECTIONS_PER_ADDRESS,
    isExempt: trustedProxies(config.TRUSTED_PROXIES),
    onRefused: () => metrics.connectionRefused({ server: 'api' }),
  });
  serveDocumentation(app, config);
  serveClient(app.getHttpAdapter().getInstance());
  serveTrackerHooks(app.getHttpAdapter().getInstance(), app.get(TrackerHooks));
  if (config.MCP_SERVER === 'on') serveAgents(app.getHttpAdapter().getInstance(), adapter.inProcess(), config);
  await app.init();
  adapter.acceptUpgrades();
  handleUnmatchedRequests(app.getHttpAdapter().getInstance());
  return app;
}

/** Paths that need no credentials and accept only reads. */
const publicPaths = [
  '/',
  '/healthz',
  '/readyz',
  '/docs',
  '/client/:name',
  '/openapi.json',
  '/openapi.yaml',
  '/schemas',
  '/schemas/:name',
];
const readMethods = 'GET, HEAD';

/** Returns the standard error body for unmatched paths, and for errors outside of Nest. */
function handleUnmatchedRequests(express: Express): void {
  const filter = new ErrorFilter();
  express.all(publicPaths, (request, response) => {
    response.setHeader('Allow', readMethods);
    filter.answer(methodNotAllowed(request.method, readMethods), request as ApiRequest, response as ApiResponse);
  });
  express.use((request, response) => filter.answer(routeNotFound(), request as ApiRequest, response as ApiResponse));
  express.use((error: unknown, request: unknown, response: unknown, _next: unknown) =>
    filter.answer(error, request as ApiRequest, response as ApiResponse),
  );
}
