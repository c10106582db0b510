import { join } from 'node:path';
import type { Express } from 'express';
import { routeNotFound } from '../../platform/http/route-errors';

/** Written by the build. */
const FOLDER = join(__dirname, 'client');
const NAMES = new Set(['assay.cjs', 'assay.cjs.sha256']);

/** Serves the program of users and its SHA-256, so that a client has the version of its service and nobody needs a registry. */
export function serveClient(app: Pick<Express, 'get'>, folder = FOLDER): void {
  app.get('/client/:name', (request, response, next) => {
    const { name } = request.params;
    if (!NAMES.has(name)) return next(routeNotFound());
    response.attachment(name).type('text/plain; charset=utf-8');
    response.sendFile(name, { root: folder, cacheControl: false }, (error) => {
      if (error !== undefined && !response.headersSent) next(routeNotFound());
    });
  });
}
