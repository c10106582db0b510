import { exposedDownload } from '../protocols/http/exposed-download';

/** How the first line of a log begins. */
const LINES: readonly (readonly [line: RegExp, what: string])[] = [
  [
    /^\[\d{4}-\d\d-\d\d[ T][\d:.+-]{8,25}\] \w{1,40}\.(?:DEBUG|INFO|NOTICE|WARNING|ERROR|CRITICAL|ALERT|EMERGENCY): /,
    'an application',
  ],
  [/^\[\d\d-[A-Z][a-z]{2}-\d{4} [\d:]{8} [\w/]{1,40}\] (?:PHP |WordPress )/, 'PHP'],
  [/^\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:.]{8,15} \d{4}\] \[\S{1,60}\] /, 'Apache'],
  [/^\d{4}\/\d\d\/\d\d [\d:]{8} \[(?:debug|info|notice|warn|error|crit|alert|emerg)\] \d{1,10}#\d{1,10}: /, 'nginx'],
  [
    /^\S{1,255} \S{1,100} \S{1,100} \[\d\d\/[A-Z][a-z]{2}\/\d{4}:[\d:]{8} [+-]\d{4}\] "[A-Z]{3,10} /,
    'the requests of visitors',
  ],
];

function identify(start: Buffer): string | null {
  const text = start.toString('latin1');
  const of = LINES.find(([line]) => line.test(text))?.[1];
  return of === undefined ? null : `it is a log of ${of}`;
}

export const exposedLog = exposedDownload(
  {
    id: 'exposed-log',
    title: 'A log file is public',
    severity: 'medium',
    cwe: [532, 552],
    owasp: ['A09:2021', 'A09:2025'],
    wstg: ['WSTG-CONF-04'],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
    references: ['https://cheatsheetseries.owasp.org/cheatsheets/Logging_Cheat_Sheet.html'],
    decides:
      'Requests the first bytes of `/error.log`, `/access.log`, `/wp-content/debug.log` and `/storage/logs/laravel.log`. It is vulnerable if the first line has the format of a known log. It is fixed when no path returns a log.',
    text: `A log can be fetched from the web server. Logs hold the addresses of visitors, the URLs that they asked for
with the tokens in them, paths, SQL statements, and the data that the application was working with when it failed.

**How to fix it.** Write logs to a place outside the root of the site and delete the file. In WordPress,
\`WP_DEBUG_LOG\` takes a path. Change the passwords and tokens that were logged: assume that attackers have read it.`,
    inFolders: true,
  },
  () => ['/error.log', '/access.log', '/wp-content/debug.log', '/storage/logs/laravel.log'],
  identify,
);
