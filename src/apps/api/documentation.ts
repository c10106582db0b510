import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Config } from '../../platform/config/load-config';
import { operationsOf } from '../../platform/http/routes';
import { buildDocument } from '../../platform/openapi/build-document';
import { packageVersion } from '../../kernel/package-version';
import { withDemoExamples } from './demo-examples';

export const buildApiDocument = (app: INestApplication, config: Pick<Config, 'BASE_PATH'>) =>
  buildDocument(app, operationsOf(app.get(ModulesContainer)), packageVersion, config.BASE_PATH);

/** Serves Swagger UI at /docs, and the document at /openapi.json and /openapi.yaml. */
export function serveDocumentation(app: NestExpressApplication, config: Config): void {
  const { BASE_PATH, DEMO_FILE } = config;
  app.use('/docs', helmet({ contentSecurityPolicy, strictTransportSecurity: false }));
  app.use(TEXTS, keepTexts(DEMO_FILE === undefined ? Infinity : DEMO_SECONDS));
  app.useStaticAssets(join(__dirname, 'swagger-ui'), { prefix: '/docs', index: false, redirect: false });
  SwaggerModule.setup('docs', app, () => buildApiDocument(app, config), {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: 'Assay API',
    customfavIcon: `${BASE_PATH}/docs/assay.svg`,
    customCssUrl: `${BASE_PATH}/docs/assay.css`,
    customJs: `${BASE_PATH}/docs/assay-swagger-ui.js`,
    ...(DEMO_FILE !== undefined && {
      patchDocumentOnRequest: (_request, _response, document) => withDemoExamples(document, DEMO_FILE),
    }),
    swaggerOptions: {
      plugins: [loadPlugin],
      persistAuthorization: true,
      displayRequestDuration: true,
      tryItOutEnabled: true,
      // The plugin opens the first tag: to draw all operations takes seconds.
      docExpansion: 'none',
      filter: true,
      // Its themes set colors on elements, in one theme for light and dark.
      syntaxHighlight: false,
      // By default Swagger UI sends the document's address to an online validator.
      validatorUrl: null,
      requestInterceptor: omitBrowserCredentials,
    },
  });
}

/** Nobody signs in to read them, and writing one as YAML takes a tenth of a second. */
const TEXTS = ['/openapi.json', '/openapi.yaml', '/docs/swagger-ui-init.js'];
/** Its examples change while demo data is created. */
const DEMO_SECONDS = 1;

/** Each text is the same for everyone, so it is written once, or once in so many seconds. */
function keepTexts(seconds: number): RequestHandler {
  const kept = new Map<string, { readonly type: string; readonly body: Buffer; readonly until: number }>();
  return ({ baseUrl }, response, next): void => {
    const known = kept.get(baseUrl);
    if (known !== undefined && performance.now() < known.until) {
      response.type(known.type).send(known.body);
      return;
    }
    const send = response.send.bind(response);
    response.send = (text: string) => {
      const body = Buffer.from(text);
      const type = response.get('Content-Type') ?? 'text/plain';
      kept.set(baseUrl, { type, body, until: performance.now() + seconds * 1_000 });
      return send(body);
    };
    next();
  };
}

/**
 * Everything is served from here. Swagger UI sets styles on elements. No upgrade to HTTPS: over plain HTTP in a private network
 * the page would not load its scripts. The gateway that terminates TLS sets HSTS.
 */
const contentSecurityPolicy = {
  directives: {
    'style-src': ["'self'", "'unsafe-inline'"],
    'font-src': ["'self'"],
    'upgrade-insecure-requests': null,
  },
};

/** The functions below run in the browser, so they must not use anything outside of them. */

/** Calls the plugin in `swagger-ui/assay-swagger-ui.js`, which the page has loaded by then. */
const loadPlugin = (system: object): object =>
  (globalThis as unknown as { assaySwaggerUi: (system: object) => object }).assaySwaggerUi(system);

/**
 * On `WWW-Authenticate: Basic` a browser shows its own prompt, and the page never gets the 401. It does not if the request omits
 * the browser's credentials.
 */
const omitBrowserCredentials = (request: object): object => ({ ...request, credentials: 'omit' });
