import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { lookalikeSites } from '../testing/lookalike-sites';
import { exposedDebugger } from './exposed-debugger';

const CONSOLE = `<!doctype html><html lang=en><head><title>Console // Werkzeug Debugger</title><script>
var CONSOLE_MODE = true, EVALEX = true, EVALEX_TRUSTED = false, SECRET = "abc";</script></head>
<body><div class="debugger"><h1>Interactive Console</h1></div></body></html>`;
const at = (path: string, body: string): Site => ({ pages: { [path]: body } });

truthTable(exposedDebugger, {
  scheme: 'http',
  vulnerable: at('/console', CONSOLE),
  fixed: {},
  alsoVulnerable: { 'it is Ignition': at('/_ignition/health-check', '{"can_execute_commands":false}') },
  softErrors: lookalikeSites(CONSOLE),
  alsoFixed: {
    'the application has permissions': at('/_ignition/health-check', '{"user":{"can_execute_commands":true}}'),
  },
  lookalikes: {
    'it cannot run code': at('/console', CONSOLE.replace('EVALEX = true', 'EVALEX = false')),
    'the application has a console': at('/console', '<title>Console</title><h1>Admin console</h1>'),
  },
});
