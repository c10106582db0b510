import { truthTable } from '../testing/truth-table';
import { lookalikeSites } from '../testing/lookalike-sites';
import { exposedPprof } from './exposed-pprof';

const INDEX = `<html><head><title>/debug/pprof/</title></head><body>/debug/pprof/<br><p>Set debug=1 as a query parameter</p>
Types of profiles available:<table><tr><td>7</td><td><a href='goroutine?debug=1'>goroutine</a></td></tr></table></body></html>`;
const VARS = '{\n"cmdline": ["/srv/shop","-dsn=postgres://db"],\n"memstats": {"Alloc":7}\n}\n';

truthTable(exposedPprof, {
  scheme: 'http',
  vulnerable: { pages: { '/debug/pprof/': INDEX } },
  fixed: {},
  alsoVulnerable: {
    'it tells its variables': {
      pages: { '/debug/vars': { headers: { 'content-type': 'application/json' }, body: VARS } },
    },
  },
  softErrors: lookalikeSites(INDEX + VARS),
  alsoBlocked: {
    'the server itself refuses it': { pages: { '/debug/pprof/': { status: 403, body: 'Forbidden' } } },
  },
});
