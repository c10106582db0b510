import type { INestApplication } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { SwaggerModule } from '@nestjs/swagger';
import helmet from 'helmet';
import type { Config } from '../../platform/config/load-config';
import { operationsOf } from '../../platform/http/routes';
import { buildDocument } from '../../platform/openapi/build-document';
import { packageVersion } from '../../kernel/package-version';

export const buildApiDocument = (app: INestApplication, config: Pick<Config, 'BASE_PATH'>) =>
  buildDocument(app, operationsOf(app.get(ModulesContainer)), packageVersion, config.BASE_PATH);

/** Serves Swagger UI at /docs, and the document at /openapi.json and /openapi.yaml. */
export function serveDocumentation(app: INestApplication, config: Config): void {
  // No upgrade to HTTPS: over plain HTTP in a private network the page would not load its scripts. The gateway that terminates
  // TLS sets HSTS.
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
 * On `WWW-Authenticate: Basic` a browser shows its own prompt, and the page never gets the 401. It does not if the request omits
 * the browser's credentials. This function runs in the browser, so it must not use anything outside of it.
 */
const omitBrowserCredentials = (request: object): object => ({ ...request, credentials: 'omit' });
