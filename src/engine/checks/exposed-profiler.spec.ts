import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { lookalikeSites } from '../testing/lookalike-sites';
import { exposedProfiler } from './exposed-profiler';

const at = (path: string, head: string, body: string): Site => ({
  pages: { [path]: `<!doctype html><html><head>${head}</head><body>${body}</body></html>` },
});
const TELESCOPE = '<script>window.Telescope = {"path":"telescope","recording":true};</script>';

truthTable(exposedProfiler, {
  scheme: 'http',
  vulnerable: at('/telescope/requests', '<title>Telescope - Shop</title>', TELESCOPE),
  fixed: {},
  alsoVulnerable: {
    'it is that of Symfony': at(
      '/_profiler/empty/search/results',
      '<title>Symfony Profiler</title>',
      '<form action="/_profiler/search"></form><h2>0 results found</h2>',
    ),
    'it is that of ASP.NET': at(
      '/trace.axd',
      '',
      '<h1>Application Trace</h1><h3><b>Requests to this Application</b></h3>',
    ),
    'it is ELMAH': at(
      '/elmah.axd',
      '<title>Error log for /LM/W3SVC/1/ROOT on WEB1 (Page #1)</title>',
      'Powered by ELMAH',
    ),
  },
  softErrors: lookalikeSites(`<title>Telescope</title>${TELESCOPE}`),
  alsoBlocked: {
    'the server itself refuses it': { pages: { '/telescope/requests': { status: 403, body: 'Forbidden' } } },
  },
  lookalikes: {
    'it is about stars': at(
      '/telescope/requests',
      '<title>Telescope requests</title>',
      'Book a night at the telescope',
    ),
  },
});
