import type { Mutant } from '../mutant';

const pages = 'src/engine/firewall-pages.ts';
const pagesSpec = 'src/engine/firewall-pages.spec.ts';
const first = 'src/engine/initial-verification.ts';
const incomplete = 'src/modules/jobs/domain/incomplete-checks.ts';
const incompleteSpec = 'src/modules/jobs/domain/incomplete-checks.spec.ts';
const jobs = 'test/e2e/jobs.spec.ts';
const walls = 'src/engine/scan-walls.spec.ts';

/** What tells pages of firewalls and outages from pages and errors of the target. */
export const wallMutants: readonly Mutant[] = [
  {
    name: 'walls: a long article with the message of a firewall is a firewall',
    file: pages,
    search: 'length <= LONGEST_MESSAGE && ',
    replace: '',
    spec: pagesSpec,
    test: 'an article about it',
  },
  {
    name: 'walls: a quotation is the message of a firewall',
    file: pages,
    search: `'pre', 'code', `,
    replace: '',
    spec: pagesSpec,
    test: 'a manual that quotes it',
  },
  {
    name: 'walls: the message of a firewall with 200 is a page',
    file: pages,
    search: 'return isRefused || showsFirewallMessage(text);',
    replace: 'return isRefused;',
    spec: pagesSpec,
    test: 'F5 and NGINX App Protect',
  },
  {
    name: 'walls: a captcha is a page wherever it is shown',
    file: pages,
    search: 'return isEverywhere ?',
    replace: 'return isEverywhere && page.status === 0 ?',
    spec: walls,
    test: 'everywhere',
  },
  {
    name: 'walls: an error counts as missing although missing paths get none',
    file: first,
    search: 'if (usual === null || !(await isAnsweredAlike(path, asked.answer, usual))) return null;',
    replace: 'if (usual === null) return null;',
    spec: walls,
    test: 'an error that missing paths do not get is one of this path',
  },
  {
    name: 'walls: an outage of all pages counts as missing',
    file: first,
    search: '|| !(await twoPagesAnswer(context))',
    replace: '',
    spec: walls,
    test: 'errors everywhere but on the page are an outage',
  },
  {
    name: 'walls: an error of a gateway counts as missing',
    file: first,
    search: 'const OWN_ERRORS = new Set([500, 501]);',
    replace: 'const OWN_ERRORS = new Set([500, 501, 502, 503, 504, 520, 530]);',
    spec: walls,
    test: 'is an outage',
  },
  {
    name: 'incomplete checks: they do not fail a job',
    file: incomplete,
    search: 'outcome.success === true && failing.length === 0',
    replace: 'outcome.success === true',
    spec: incompleteSpec,
    test: 'an incomplete check fails a job, and is named',
  },
  {
    name: 'incomplete checks: an allowance covers findings',
    file: incomplete,
    search: 'outcome.success === true && failing.length === 0',
    replace: 'failing.length === 0',
    spec: incompleteSpec,
    test: 'an allowance covers no findings',
  },
  {
    name: 'incomplete checks: an allowance covers a job that completed little',
    file: incomplete,
    search: 'if (completed < incomplete.length)',
    replace: 'if (completed < 0)',
    spec: incompleteSpec,
    test: 'an allowance with',
  },
  {
    name: 'incomplete checks: /success allows a job that completed little',
    file: incomplete,
    search: 'if (completed < incomplete.length)',
    replace: 'if (completed < 0)',
    spec: jobs,
    test: 'if it completed fewer than half of its checks',
  },
  {
    name: 'incomplete checks: an allowance covers a check with an open finding',
    file: 'src/modules/jobs/jobs.service.ts',
    search: 'openChecks: openChecksOf(known)',
    replace: 'openChecks: openChecksOf([])',
    spec: jobs,
    test: 'fails although the caller allows it, while the check has an open finding there',
  },
  {
    name: 'incomplete checks: an allowance is not recorded',
    file: 'src/modules/jobs/jobs.service.ts',
    search: 'outcome.success === true && outcome.allowed.length > 0',
    replace: 'outcome.allowed.length < 0',
    spec: jobs,
    test: 'finishes with the check, fails, and succeeds if the caller allows that',
  },
  {
    name: 'incomplete checks: an acceptance of incompleteness covers findings',
    file: 'src/modules/assets/domain/acceptance-kinds.ts',
    search: ': { until: acceptedAt, incompleteUntil: until, acceptedAt }',
    replace: ': { until, incompleteUntil: until, acceptedAt }',
    spec: jobs,
    test: 'fails because of findings of the check, and while it has an open finding',
  },
  {
    name: 'incomplete checks: an acceptance of findings covers incompleteness',
    file: 'src/modules/assets/data/accepted-checks.repository.ts',
    search: 'c.incomplete_until > ${at} AND c.until <= c.accepted_at',
    replace: 'coalesce(c.incomplete_until, c.until) > ${at}',
    spec: jobs,
    test: 'whose findings are accepted, or of another organization',
  },
  {
    name: 'incomplete checks: an expired acceptance applies',
    file: 'src/modules/assets/data/accepted-checks.repository.ts',
    search: 'c.incomplete_until > ${at} AND',
    replace: 'c.incomplete_until IS NOT NULL AND ${at}::timestamptz IS NOT NULL AND',
    spec: jobs,
    test: 'succeeds until a date, and names the acceptance',
  },
  {
    name: 'walls: a target that blocks Assay ends in FINISHED',
    file: 'src/engine/scan-run.ts',
    search: 'this.isBlocked = true;',
    replace: '',
    spec: walls,
    test: 'refuses its page alone',
  },
  {
    name: 'walls: an error of a path that showed the weakness counts as missing',
    file: 'src/engine/scan-run.ts',
    search: 'this.known(check, locationOf(place)) === undefined ? lookFirst : assess',
    replace: 'lookFirst',
    spec: walls,
    test: 'an error of a path that showed the weakness stays one',
  },
];
