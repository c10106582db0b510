import { exposedFile } from '../protocols/http/exposed-file';

const WERKZEUG = /<title>Console \/\/ Werkzeug Debugger<\/title>/;
const IGNITION = /^\s{0,10}\{\s{0,10}"can_execute_commands"\s{0,5}:\s{0,5}(?:true|false)\s{0,10}\}\s{0,10}$/;

export const exposedDebugger = exposedFile(
  {
    id: 'exposed-debugger',
    title: 'A debugger that runs code is public',
    severity: 'critical',
    cwe: 489,
    text: `The application runs in debug mode, and its debugger is public. The console of Werkzeug (Flask) runs any Python
code, protected only by a PIN that attackers can compute. The solutions of Ignition (Laravel) have been used to run any
code.

**How to fix it.** Turn debug mode off wherever others can reach the application: run Flask with a production server
and without \`debug=True\`, set \`APP_DEBUG=false\` for Laravel and install without development packages (\`composer
install --no-dev\`). Assume that the machine is compromised: search it for malware, and change its secrets.`,
  },
  [
    {
      path: '/console',
      identify: (text) =>
        WERKZEUG.test(text) && /EVALEX = true/.test(text) ? 'it is the console of the Werkzeug debugger' : null,
    },
    {
      path: '/_ignition/health-check',
      identify: (text) => (IGNITION.test(text) ? 'it is Ignition, the debugger of Laravel' : null),
    },
  ],
);
