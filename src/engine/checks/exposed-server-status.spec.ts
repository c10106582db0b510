import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { lookalikeSites } from '../testing/lookalike-sites';
import { describeWithNginx, seenOnNginx } from '../testing/real-nginx';
import { exposedServerStatus } from './exposed-server-status';

const at = (path: string, body: string): Site => ({ pages: { [path]: body } });

const APACHE = `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN"><html><head><title>Apache Status</title></head><body>
<h1>Apache Server Status for target.test (via 10.0.0.7)</h1><dl><dt>Server Version: Apache/2.4.57 (Debian)</dt></dl></body></html>`;
const NGINX = 'Active connections: 2 \nserver accepts handled requests\n 7 7 9 \nReading: 0 Writing: 1 Waiting: 1 \n';

truthTable(exposedServerStatus, {
  scheme: 'http',
  vulnerable: at('/server-status', APACHE),
  fixed: {},
  alsoVulnerable: {
    'nginx tells its own': at('/nginx_status', NGINX),
    'nginx tells it elsewhere': at('/status', NGINX),
    'PHP-FPM tells it': at('/status', 'pool:                 www\nprocess manager:      dynamic\nstart time: now\n'),
  },
  softErrors: lookalikeSites(APACHE + NGINX),
  alsoFixed: {
    'the application has a status': at('/status', '{"status":"ok","pool":"www","active connections":2}'),
  },
  alsoBlocked: {
    'the server itself refuses it': { pages: { '/server-status': { status: 403, body: 'Forbidden' } } },
  },
});

describeWithNginx('exposed-server-status on a real nginx', () => {
  it.each([
    ['vulnerable', ''],
    ['blocked', 'deny all;'],
  ])('is %s with "%s"', async (state, access) => {
    const directives = `location = /nginx_status { stub_status; ${access} }`;
    expect(await seenOnNginx(exposedServerStatus, { directives })).toMatchObject({ state });
  });
});
