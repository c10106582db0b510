import { missingPath } from '../page';
import { notVulnerable, vulnerable, type WebCheck } from '../check';

interface DebugPage {
  readonly what: string;
  /** Texts that only this page contains, all of them. */
  readonly marks: readonly string[];
}

/** Error pages of frameworks in debug mode. */
const PAGES: readonly DebugPage[] = [
  { what: 'Django with DEBUG = True', marks: ['you have <code>DEBUG = True</code>', 'the URLconf defined in'] },
  { what: 'Rails in development', marks: ['Routing Error', 'Rails.root: '] },
  { what: 'Symfony in development', marks: ['No route found for', 'Symfony Exception'] },
  { what: 'Phoenix in development', marks: ['Phoenix.Router.NoRouteError', 'no route found for'] },
  { what: 'Express in development', marks: ['NotFoundError: Not Found', 'node_modules/'] },
  { what: 'Spring with stack traces', marks: ['"trace":"org.springframework.', '"status":404'] },
  { what: 'ASP.NET without custom errors', marks: ["Server Error in '", '.NET Framework Version:'] },
];

const LOOKED_AT = 300_000;

const pageIn = (text: string): DebugPage | undefined =>
  PAGES.find(({ marks }) => marks.every((mark) => text.includes(mark)));

export const debugErrorPages: WebCheck = {
  id: 'debug-error-pages',
  title: 'Error pages show debug information',
  severity: 'medium',
  cwe: [489, 209],
  owasp: ['A05:2021', 'A02:2025'],
  wstg: ['WSTG-ERRH-01', 'WSTG-ERRH-02'],
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Error_Handling_Cheat_Sheet.html',
    'https://docs.djangoproject.com/en/stable/howto/deployment/checklist/',
  ],
  decides:
    "Requests a random path that does not exist. It is vulnerable if the response contains the texts of a known framework's debug page. It is fixed when the error page contains none of them.",
  text: `For a path that does not exist, the application shows a page for developers, with routes, paths, versions and
stack traces. On other errors such pages also show settings and variables, and in some frameworks anyone can run
code with them.

**How to fix it.** Turn debug mode off wherever others can reach the application: \`DEBUG = False\` for Django,
\`RAILS_ENV=production\`, \`APP_ENV=prod\`, \`NODE_ENV=production\`, \`MIX_ENV=prod\`,
\`server.error.include-stacktrace=never\` for Spring, \`<customErrors mode="On" />\` for ASP.NET; and show your
own error page.`,
  on: 'origin',
  selfEvident: true,
  async observe({ probe }) {
    const { text } = await probe.http({ path: missingPath() });
    const page = pageIn(text.slice(0, LOOKED_AT));
    return page === undefined
      ? notVulnerable('its error page shows no debug information')
      : vulnerable(`Its error page is that of ${page.what}.`);
  },
};
