import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express } from 'express';
import type { Config } from '../../platform/config/load-config';
import type { ApiRequest, ApiResponse } from '../../platform/http/api-request';
import { escapeUndecodablePath } from '../../platform/http/escape-undecodable-path';
import { requireHostHeader } from '../../platform/http/require-host-header';
import { ErrorFilter } from '../../platform/http/error.filter';
import { HttpAdapter } from '../../platform/http/http-adapter';
import { methodNotAllowed, routeNotFound } from '../../platform/http/route-errors';
import { requestId } from '../../platform/http/request-id';
import { responseHeaders } from '../../platform/http/response-headers';
import { type Log, NestLog } from '../../platform/logging/log';
import { requestLog } from '../../platform/logging/request-log';
import { ApiModule } from './api.module';
import { serveDocumentation } from './documentation';

/** The API, ready to listen. */
export async function createApp(config: Config, log: Log): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(ApiModule.with(config), new HttpAdapter(config), {
    logger: new NestLog(log),
    bodyParser: false,
    abortOnError: false,
  });
  app.set('trust proxy', config.TRUSTED_PROXIES.length > 0 ? config.TRUSTED_PROXIES : false);
  app.use(requestId, requestLog(log), responseHeaders, requireHostHeader, escapeUndecodablePath);
  serveDocumentation(app, config);
  await app.init();
  answerTheRest(app.getHttpAdapter().getInstance());
  return app;
}

/** What is open to everybody, to be read. */
const openPaths = ['/healthz', '/readyz', '/docs', '/openapi.json', '/openapi.yaml'];
const readable = 'GET, HEAD';

/** What no route took, and what failed before the framework had it, in the one error body. */
function answerTheRest(express: Express): void {
  const filter = new ErrorFilter();
  express.all(openPaths, (request, response) => {
    response.setHeader('Allow', readable);
    filter.answer(methodNotAllowed(request.method, readable), request as ApiRequest, response as ApiResponse);
  });
  express.use((request, response) => filter.answer(routeNotFound(), request as ApiRequest, response as ApiResponse));
  express.use((error: unknown, request: unknown, response: unknown, _next: unknown) =>
    filter.answer(error, request as ApiRequest, response as ApiResponse),
  );
}
