import { missingPath } from '../page';
import { notVulnerable, vulnerable, type WebCheck } from '../check';

interface DebugPage {
  readonly what: string;
  /** All of which the page says, and no other page does. */
  readonly marks: readonly string[];
}

/** How frameworks answer to what is not there while they are in debug mode. */
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
  title: 'Error pages are those of debug mode',
  severity: 'medium',
  cwe: 489,
  text: `Asked for what is not there, the application answers with a page for developers: routes, paths, versions,
stack traces. Where something fails in earnest such pages also show settings and variables, and in some frameworks
they let strangers run code.

**How to fix it.** Turn debug mode off wherever others can reach the application: \`DEBUG = False\` for Django,
\`RAILS_ENV=production\`, \`APP_ENV=prod\`, \`NODE_ENV=production\`, \`MIX_ENV=prod\`,
\`server.error.include-stacktrace=never\` for Spring, \`<customErrors mode="On" />\` for ASP.NET; and show an error
page of your own.`,
  on: 'origin',
  selfEvident: true,
  async observe({ probe }) {
    const { text } = await probe.http({ path: missingPath() });
    const page = pageIn(text.slice(0, LOOKED_AT));
    return page === undefined
      ? notVulnerable('its page for what is missing is none of debug mode')
      : vulnerable(`Its page for what is missing is that of ${page.what}.`);
  },
};
