import { createHash } from 'node:crypto';
import { notVulnerable, type Observation, vulnerable, type WebCheck, type WebSubject } from '../check';
import type { SentRequest } from '../sent-request';
import { missingPath, type Page } from '../page';
import { errorShownIn } from '../protocols/http/error-page';
import { resembles, snapshot } from '../snapshot';

const withoutQuery = (path: string): string => path.split('?', 1)[0] ?? path;

/** Requests of the same path with different headers or bodies are different requests. */
function named(request: SentRequest): SentRequest {
  const { path, headers, body } = request;
  if (headers === undefined && body === undefined) return request;
  const digest = createHash('sha256')
    .update(JSON.stringify([headers, body]))
    .digest('hex');
  return { ...request, name: `${path} ${digest.slice(0, 12)}` };
}

/** Whether the page shows the error text without our input too, because its content is about errors. */
async function isContent({ path, method }: SentRequest, answer: Page, { probe }: WebSubject): Promise<boolean> {
  if (method !== undefined || answer.status >= 400) return false;
  const { text } = await probe.http({ path: withoutQuery(path) });
  return errorShownIn(text) !== null;
}

/** Whether the fixed page ignores the input. */
async function isPageItself({ path }: SentRequest, answer: Page, { probe }: WebSubject): Promise<boolean> {
  if (!path.includes('?') || answer.status >= 400) return false;
  const page = await probe.http({ path: withoutQuery(path) });
  return resembles(await snapshot(page), await snapshot(answer));
}

/** Repeats a request of another check. */
async function observeProvoking(request: SentRequest, subject: WebSubject): Promise<Observation | null> {
  const { probe, seen } = subject;
  const answer = await probe.http(named(request));
  const error = errorShownIn(answer.text);
  if (error !== null && !(await isContent(request, answer, subject))) {
    if (request.method === undefined) probe.markAsDecisive(request.path);
    return vulnerable(`${request.method ?? 'GET'} ${request.path} shows ${error}.`);
  }
  if (seen === null || (await isPageItself(request, answer, subject))) probe.markAsGenuine(answer);
  return null;
}

export const debugErrorPages: WebCheck = {
  id: 'debug-error-pages',
  title: 'Debug mode: error pages show details of the application',
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
    "Requests a random path that does not exist, and in a job sends again what other checks got such an error for. It is vulnerable if a response contains the texts of a known framework's debug page, a stack trace, or an error of a database. It is fixed when neither response contains any of them.",
  text: `On an error the application shows what is meant for developers: routes, paths, versions, stack traces, or the error of a
database, which can also mean that input reaches an SQL statement. Some of these pages show settings and variables, and in
some frameworks anyone can run code with them.

**How to fix it.** Turn debug mode off wherever others can reach the application: \`DEBUG = False\` for Django,
\`RAILS_ENV=production\`, \`APP_ENV=prod\`, \`NODE_ENV=production\`, \`MIX_ENV=prod\`,
\`server.error.include-stacktrace=never\` for Spring, \`<customErrors mode="On" />\` for ASP.NET; and show your
own error page.`,
  on: 'origin',
  selfEvident: true,
  runsLast: true,
  async observe(subject) {
    const { probe, provoking } = subject;
    const missing = errorShownIn((await probe.http({ path: missingPath() })).text);
    if (missing !== null) return vulnerable(`Its error page shows ${missing}.`);
    for (const request of provoking) {
      const seen = await observeProvoking(request, subject);
      if (seen !== null) return seen;
    }
    return notVulnerable('its error pages show no debug information');
  },
};
