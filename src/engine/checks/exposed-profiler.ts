import { exposedFile } from '../protocols/http/exposed-file';

/** A page with this title and with a text that only this tool has. */
const page =
  (title: RegExp, mark: RegExp, what: string) =>
  (text: string): string | null =>
    title.test(text) && mark.test(text) ? what : null;

export const exposedProfiler = exposedFile(
  {
    id: 'exposed-profiler',
    title: 'A profiler with recorded requests and errors is public',
    severity: 'high',
    cwe: [489, 200],
    owasp: ['A05:2021', 'A02:2025'],
    wstg: ['WSTG-CONF-05'],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:L/A:N',
    references: [
      'https://symfony.com/doc/current/profiler.html',
      'https://laravel.com/docs/telescope',
      'https://elmah.github.io/a/securing-error-log-pages/',
    ],
    decides:
      'Requests the pages of Laravel Telescope, the Symfony profiler, ASP.NET trace and ELMAH. It is vulnerable if a response has the title of the tool and a text that only the tool contains. It is fixed when no path returns one.',
    text: `A tool for developers is public. It records requests with the cookies, headers and form data of other visitors,
database queries, and errors with their context. Attackers can take over sessions with this data.

**How to fix it.** Turn the tool off in production: \`APP_ENV=prod\` for Symfony, \`TELESCOPE_ENABLED=false\` or its
authorization gate for Laravel, \`<trace enabled="false" />\` and \`<elmah><security allowRemoteAccess="0" />\` for ASP.NET. End all
sessions, and change the recorded passwords and keys.`,
  },
  [
    {
      path: '/telescope/requests',
      identify: page(
        /<title>Telescope\b/i,
        /window\.Telescope = \{/,
        'it is Telescope, which records the requests of Laravel',
      ),
    },
    {
      path: '/_profiler/empty/search/results',
      identify: page(/<title>Symfony Profiler\b/i, /\/_profiler\//, 'it is the profiler of Symfony'),
    },
    {
      path: '/trace.axd',
      identify: page(/<h1>Application Trace<\/h1>/i, /Requests to this Application/i, 'it is the trace of ASP.NET'),
    },
    {
      path: '/elmah.axd',
      identify: page(/<title>Error log for /i, /\bELMAH\b/, 'it is ELMAH, which records errors'),
    },
  ],
);
