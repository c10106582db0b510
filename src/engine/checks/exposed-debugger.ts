import { exposedFile } from '../protocols/http/exposed-file';

const WERKZEUG = /<title>Console \/\/ Werkzeug Debugger<\/title>/;
const IGNITION = /^\s{0,10}\{\s{0,10}"can_execute_commands"\s{0,5}:\s{0,5}(?:true|false)\s{0,10}\}\s{0,10}$/;

export const exposedDebugger = exposedFile(
  {
    id: 'exposed-debugger',
    title: 'Debug console is public: anyone can run code',
    severity: 'critical',
    cwe: [489, 306],
    owasp: ['A05:2021', 'A02:2025'],
    wstg: ['WSTG-CONF-05'],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    references: [
      'https://werkzeug.palletsprojects.com/en/stable/debug/',
      'https://nvd.nist.gov/vuln/detail/CVE-2021-3129',
    ],
    decides:
      'Requests `/console` and `/_ignition/health-check`, and runs no code. It is vulnerable if a response is the Werkzeug console with evaluation enabled, or the health check of Ignition. It is fixed when neither path returns them.',
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
