import type { INestApplication } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { SwaggerModule } from '@nestjs/swagger';
import helmet from 'helmet';
import type { Config } from '../../platform/config/load-config';
import { operationsOf } from '../../platform/http/routes';
import { buildDocument } from '../../platform/openapi/build-document';
import { packageVersion } from './package-version';

export const buildApiDocument = (app: INestApplication, config: Pick<Config, 'BASE_PATH'>) =>
  buildDocument(app, operationsOf(app.get(ModulesContainer)), packageVersion, config.BASE_PATH);

/** Swagger UI at /docs, and the document itself at /openapi.json and /openapi.yaml. */
export function serveDocumentation(app: INestApplication, config: Config): void {
  // Not upgraded to HTTPS: who serves plain HTTP inside a network would see a page without its scripts. TLS and HSTS are
  // for whoever ends them.
  const contentSecurityPolicy = { directives: { 'upgrade-insecure-requests': null } };
  app.use('/docs', helmet({ contentSecurityPolicy, strictTransportSecurity: false }));
  SwaggerModule.setup('docs', app, () => buildApiDocument(app, config), {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: 'Assay API',
    swaggerOptions: {
      persistAuthorization: true,
      displayRequestDuration: true,
      tryItOutEnabled: true,
      requestInterceptor: omitBrowserCredentials,
    },
  });
}

/**
 * A browser answers `WWW-Authenticate: Basic` with a prompt of its own, and the page never sees the 401; not so where the
 * request has nothing to do with the browser's credentials. Runs in the browser, so it stands on nothing around it.
 */
const omitBrowserCredentials = (request: object): object => ({ ...request, credentials: 'omit' });
