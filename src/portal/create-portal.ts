import { BadRequestException, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express, { type Express, type RequestHandler, type Response } from 'express';
import { notFound } from '../kernel/domain-error';
import { InboxService } from '../modules/notifications';
import { OrganizationsService } from '../modules/organizations';
import type { Config } from '../platform/config/load-config';
import { DatabaseContext } from '../platform/database/database-context';
import { HttpAdapter } from '../platform/http/http-adapter';
import { limitConnections } from '../platform/http/limit-connections';
import { requestId } from '../platform/http/request-id';
import { requireHostHeader } from '../platform/http/require-host-header';
import { encodedQuery, refusalUnlessUtf8 } from '../platform/http/utf8-encoding';
import { trustedProxies } from '../platform/http/trusted-proxies';
import { type Log, NestLog } from '../platform/logging/log';
import { requestLog } from '../platform/logging/request-log';
import type { ApiRequest } from '../platform/api/api-request';
import { type EndedRequest, RequestMetrics } from '../platform/metrics/request-metrics';
import { RequestTraces } from '../platform/tracing/request-traces';
import { ATTACHMENTS_PATH, HAR_PATH, IMPORTS_PATH } from './urls';
import { serveAssets } from './frame/assets';
import { Notices } from './http/notices';
import { PortalErrorFilter } from './http/portal-error.filter';
import type { PortalRequest } from './http/portal-request';
import { unlessRefused } from './http/form-again';
import { readFieldsBeforeFiles } from './http/streamed-form';
import { readUploads } from './http/uploads';
import { portalHeaders, securityHeaders } from './http/security-headers';
import { PortalModule } from './portal.module';

const MAX_FORM = '256kb';

/** Creates the portal, ready to listen. It has its own listener and uses the services of the API's process. */
export async function createPortal(
  config: Config,
  log: Log,
  services: INestApplicationContext,
): Promise<NestExpressApplication> {
  const headers = portalHeaders(config);
  const app = await NestFactory.create<NestExpressApplication>(
    PortalModule.with(config, services),
    new HttpAdapter(config, headers),
    { logger: new NestLog(log), bodyParser: false, abortOnError: false },
  );
  app.set('trust proxy', config.TRUSTED_PROXIES.length > 0 ? config.TRUSTED_PROXIES : false);
  const metrics = services.get(RequestMetrics);
  const traces = services.get(RequestTraces);
  const logAndObserve = requestLog(log, (ended: EndedRequest, request: ApiRequest): void => {
    metrics.observe('portal', ended);
    traces.end(request, 'portal', ended);
  });
  const database = services.get(DatabaseContext);
  app.use(((_request, _response, next) => database.runRequest(next)) as RequestHandler);
  for (const handler of [requestId, traces.begin, logAndObserve]) app.use(unlessRefused(handler as RequestHandler));
  limitConnections(app.getHttpServer(), {
    perAddress: config.CONNECTIONS_PER_ADDRESS,
    isExempt: trustedProxies(config.TRUSTED_PROXIES),
    onRefused: () => metrics.connectionRefused({ server: 'portal' }),
  });
  app.use(securityHeaders(headers), requireHostHeader, serveAssets());
  app.use(requireUtf8Query);
  app.use(express.urlencoded({ limit: MAX_FORM, extended: false, verify: requireUtf8Form }));
  app.use(IMPORTS_PATH, readFieldsBeforeFiles({ haveSeveral: false }) as RequestHandler);
  app.use(HAR_PATH, readFieldsBeforeFiles({ haveSeveral: false }) as RequestHandler);
  app.use(ATTACHMENTS_PATH, readFieldsBeforeFiles({ haveSeveral: true }) as RequestHandler);
  app.use(...readUploads);
  await app.init();
  handleUnmatchedRequests(app.getHttpAdapter().getInstance(), services, app.get(Notices));
  return app;
}

const requireUtf8Query: RequestHandler = ({ url }, _response, next) => next(refusalUnlessUtf8(encodedQuery(url)));

function requireUtf8Form(_request: unknown, _response: unknown, form: Buffer): void {
  const refusal = refusalUnlessUtf8(form.toString('latin1'));
  // With a status of its own, because body-parser answers 403 otherwise.
  if (refusal !== undefined) throw new BadRequestException(refusal.message);
}

/** Shows an error page for forms to unknown paths, and for errors outside of Nest. */
function handleUnmatchedRequests(server: Express, services: INestApplicationContext, notices: Notices): void {
  const filter = new PortalErrorFilter(services.get(OrganizationsService), services.get(InboxService), notices);
  server.use((request, response) => filter.answer(notFound('Page'), request as PortalRequest, response));
  server.use((error: unknown, request: unknown, response: unknown, _next: unknown) =>
    filter.answer(error, request as PortalRequest, response as Response),
  );
}
