import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { lookalikeSites } from '../testing/lookalike-sites';
import { exposedLog } from './exposed-log';

const at = (path: string, body: string): Site => ({
  pages: { [path]: { headers: { 'content-type': 'text/plain' }, body } },
});
const LARAVEL = '[2026-11-20 08:15:00] production.ERROR: SQLSTATE[HY000] [1045] Access denied for user\n';

truthTable(exposedLog, {
  scheme: 'http',
  vulnerable: at('/storage/logs/laravel.log', LARAVEL),
  fixed: {},
  alsoVulnerable: {
    'WordPress writes it': at(
      '/wp-content/debug.log',
      '[20-Nov-2026 08:15:00 UTC] PHP Warning:  Undefined array key\n',
    ),
    'Apache writes it': at(
      '/error.log',
      '[Fri Nov 20 08:15:00.123456 2026] [core:error] [pid 7] [client 192.0.2.7:4000]\n',
    ),
    'nginx writes it': at('/error.log', '2026/11/20 08:15:00 [error] 7#7: *1 open() failed\n'),
    'it tells who asked for what': at(
      '/access.log',
      '192.0.2.7 - - [20/Nov/2026:08:15:00 +0000] "GET /?token=abc HTTP/1.1" 200 7\n',
    ),
  },
  softErrors: lookalikeSites(LARAVEL),
  alsoFixed: {
    'it is a list of what has changed': at('/error.log', '[2026-11-20] The error page is new\n'),
    'it is about dates': at('/access.log', '2026/11/20 08:15:00 opening hours\n'),
  },
});
