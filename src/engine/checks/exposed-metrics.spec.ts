import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { lookalikeSites } from '../testing/lookalike-sites';
import { exposedMetrics } from './exposed-metrics';

const at = (body: string): Site => ({ pages: { '/metrics': { headers: { 'content-type': 'text/plain' }, body } } });
const METRICS = '# HELP process_open_fds Open files.\n# TYPE process_open_fds gauge\nprocess_open_fds 17\n';

truthTable(exposedMetrics, {
  scheme: 'http',
  vulnerable: at(METRICS),
  fixed: {},
  alsoVulnerable: { 'it does not explain them': at('# TYPE http_requests counter\nhttp_requests_total{path="/"} 4\n') },
  softErrors: lookalikeSites(METRICS),
  alsoBlocked: { 'the server itself refuses it': { pages: { '/metrics': { status: 403, body: 'Forbidden' } } } },
  lookalikes: {
    'it is a text about metrics': at('# Metrics\n\n# HELP is a comment, and # TYPE says of which type it is.\n'),
  },
});
