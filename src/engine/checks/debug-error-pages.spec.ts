import type { Reply, Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { lookalikeSites } from '../testing/lookalike-sites';
import { debugErrorPages } from './debug-error-pages';

const missing = (body: string, more: Reply = {}): Site => ({
  answer: ({ url }) => (url === '/' ? null : { status: 404, body, ...more }),
});

const DJANGO = `<html><head><title>Page not found at /nothing</title></head><body><p>Using the URLconf defined in <code>shop.urls</code>,
Django tried these URL patterns</p><div id="explanation"><p>You’re seeing this error because you have <code>DEBUG = True</code> in
your Django settings file.</p></div></body></html>`;

truthTable(debugErrorPages, {
  scheme: 'http',
  vulnerable: missing(DJANGO),
  fixed: missing('<h1>Not Found</h1><p>The requested resource was not found on this server.</p>'),
  alsoVulnerable: {
    'it is Rails': missing('<h1>Routing Error</h1><h2>No route matches [GET]</h2><code>Rails.root: /srv/shop</code>'),
    'it is Symfony': missing('<title>No route found for "GET /"</title><div>Symfony Exception</div>'),
    'it is Phoenix': missing('# Phoenix.Router.NoRouteError at GET /\n\n    no route found for GET / (Shop.Router)\n'),
    'it is Express': missing('<pre>NotFoundError: Not Found\n at /srv/node_modules/express/lib/router/index.js</pre>'),
    'it is Spring': missing(
      '{"status":404,"error":"Not Found","trace":"org.springframework.web.NoHandlerFoundException: No"}',
    ),
    'it is ASP.NET': missing(
      "<title>The resource cannot be found.</title><h1>Server Error in '/' Application.</h1>.NET Framework Version:4.0",
    ),
  },
  lookalikes: lookalikeSites(DJANGO),
  alsoFixed: {
    'it is ASP.NET with custom errors': missing(
      "<h1>Server Error in '/' Application.</h1><p>The resource cannot be found.</p>",
    ),
    'it is an error in JSON': missing('{"status":404,"error":"Not Found","path":"/"}'),
  },
});
