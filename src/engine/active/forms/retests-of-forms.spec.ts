import { lookFirst } from '../../assess';
import type { Baseline } from '../../baseline';
import type { WebCheck } from '../../check';
import { commandInjection } from '../../checks/command-injection';
import { pathTraversal } from '../../checks/path-traversal';
import { reflectedInput } from '../../checks/reflected-input';
import { templateInjection } from '../../checks/template-injection';
import type { InsertionPoint } from '../../experiment-record';
import { ProbeSession } from '../../probe-session';
import { type FormSite, servedBy } from '../../testing/form-site';
import { SeededRandom } from '../../testing/seeded-random';
import type { Reply } from '../../testing/target-server';
import { siteSetup } from '../../testing/target-states';
import { HOST, sharedTestTarget } from '../../testing/test-target';
import { verify } from '../../verdict';
import { placeOfPoint } from '../insertion-point';
import { pageWith } from '../testing/simulated-point';
import { formPoint, jsonPoint } from '../testing/submitted-points';
import { readPath } from '../testing/virtual-files';
import { RETEST_SUBMISSIONS, Submissions } from './submissions';

type Show = (value: string) => Reply;

const FORM_POINT = formPoint('/find', 'q=red&csrf=&size=2');
const JSON_POINT = jsonPoint('/find', '{"search":{"q":"red","size":2}}', 'search.q');

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const file = (path: string): Reply => {
  const content = readPath(path);
  return content === null ? { status: 404, body: '<p>There is no such page of ours</p>' } : pageWith(content);
};
const computed = (value: string): string =>
  value.replaceAll(/\{\{(\d+)\*(\d+)\}\}/g, (_all, one: string, other: string) => String(Number(one) * Number(other)));
const run = (value: string): string =>
  value.replace(/;expr\t(\d+)\t\+\t(\d+)$/, (_all, one, two) => `\n${Number(one) + Number(two)}`);

const FORM_CASES: readonly (readonly [string, WebCheck, InsertionPoint, Show, Show])[] = [
  [
    'reflected-input',
    reflectedInput,
    FORM_POINT,
    (v) => pageWith(`<p>${v}</p>`),
    (v) => pageWith(`<p>${escaped(v)}</p>`),
  ],
  ['path-traversal', pathTraversal, FORM_POINT, file, (v) => file(/^\w+$/.test(v) ? v : 'red')],
  ['template-injection', templateInjection, JSON_POINT, (v) => pageWith(computed(v)), (v) => pageWith(escaped(v))],
  ['command-injection', commandInjection, JSON_POINT, (v) => pageWith(escaped(run(v))), (v) => pageWith(escaped(v))],
];

const GAINED = {
  'a required field': '<input name="phone" required>',
  'a consent': '<input type="checkbox" name="terms" required>',
  'a captcha': '<div class="g-recaptcha"></div>',
};
const gainedBy = (form: string): string => GAINED[form as keyof typeof GAINED] ?? '';

/** A shop whose form has a token for each reading of its page. */
const shop =
  (show: Show, form: keyof typeof GAINED | 'there' | 'gone' | 'behind a login' = 'there'): FormSite =>
  ({ method, path, fields, json, cookies }) => {
    if (path === '/form') {
      if (form === 'behind a login') return { status: 302, headers: { location: '/login' } };
      const token = `t${Math.random()}`;
      const hidden = `<input type="hidden" name="size" value="2"><input type="hidden" name="csrf" value="${token}">`;
      const field = form === 'gone' ? '' : `<input name="q">${hidden}${gainedBy(form)}`;
      return {
        headers: { 'set-cookie': `visit=${token}` },
        body: `<form method="post" action="${form === 'gone' ? '/other' : '/find'}">${field}</form>`,
      };
    }
    if (path === '/') return '<!doctype html><title>Shop</title><h1>Shop</h1><p>Welcome to the shop</p>';
    if (path !== '/find' || method !== 'POST') return null;
    if (json !== null) return show(String((json as { search: { q: unknown } }).search.q));
    if (gainedBy(form) !== '') return pageWith('<p>Thank you</p>');
    if (fields['csrf'] !== cookies['visit']) return { status: 403, body: 'Wrong token' };
    return show(fields['q'] ?? '');
  };

const firewall =
  (show: Show): Show =>
  (value) =>
    /\W/.test(value) ? { status: 403, body: 'Sorry, you have been blocked' } : show(value);
const UNUSUAL: Reply = { body: '<h1>Your request looks unusual</h1><p>Please come back a little later.</p>' };
const honeypot: Show = (value) => (/^\w+$/.test(value) ? pageWith(escaped(value)) : UNUSUAL);
const always = (reply: Reply) => (): FormSite => shop(() => reply);

describe.each(FORM_CASES)('%s in a form or JSON', (_id, check, point, vulnerable, fixed) => {
  const testTarget = sharedTestTarget();
  const place = (): ReturnType<typeof placeOfPoint> =>
    placeOfPoint({ scheme: 'http', host: HOST, port: testTarget().server.port, path: '/' }, point);
  const via = () => ({
    signal: new AbortController().signal,
    submissions: new Submissions({ limits: RETEST_SUBMISSIONS, refusal: () => null }),
  });

  async function baselineOf(site: FormSite): Promise<Baseline> {
    const transport = testTarget().transport(4_000, () => siteSetup({}, servedBy(site)));
    const session = new ProbeSession(transport, via());
    const seen = await lookFirst(check, place(), session, { shown: [], experiment: { point } });
    expect(`${seen.observation.state}: ${seen.observation.detail}`).toMatch(/^vulnerable: /);
    return JSON.parse(JSON.stringify(seen.baseline)) as Baseline;
  }

  async function retested(site: (turn: number) => FormSite, mayWrite = true): Promise<string> {
    const before = await baselineOf(shop(vulnerable));
    const random = new SeededRandom(7);
    const policy = { probes: 3, spreadMs: 4, overlaps: true, randomBelow: (limit: number) => random.below(limit) };
    const transport = testTarget().transport(4_000, (turn) => siteSetup({}, servedBy(site(turn))));
    const { submissions, signal } = via();
    const allowed = mayWrite ? { signal, submissions } : { signal };
    const { verdict } = await verify(check, place(), before, transport, allowed, async () => null, policy);
    expect(submissions.list.reduce((sum, one) => sum + one.submissions, 0)).toBeLessThanOrEqual(400);
    return `${verdict.result}: ${verdict.reason}`;
  }

  const isForm = point.kind === 'form';
  it.each<[string, (turn: number) => FormSite, string]>([
    ['it is vulnerable', () => shop(vulnerable), 'still_vulnerable'],
    ['it is fixed', () => shop(fixed), 'fixed'],
    ['it is vulnerable again at the third probe', (turn) => shop(turn < 2 ? fixed : vulnerable), 'still_vulnerable'],
    ['a firewall refuses such values', () => shop(firewall(fixed)), 'blocked'],
    ['a firewall stands before the weakness', () => shop(firewall(vulnerable)), 'blocked'],
    ['a page answers such values in place of the application', () => shop(honeypot), 'blocked'],
    ['it limits the rate', always({ status: 429, body: 'Too many requests' }), 'inconclusive'],
    ['it fails', always({ status: 503, body: 'Not available' }), 'inconclusive'],
    ['every value needs a sign-in now', always({ status: 401, body: 'Who are you?' }), 'inconclusive'],
    ['every value leads to a sign-in', always({ status: 302, headers: { location: '/login' } }), 'inconclusive'],
    ['the form is gone', () => shop(fixed, 'gone'), isForm ? 'inconclusive: .*no longer' : 'fixed'],
    ...Object.keys(GAINED).map((what): [string, (turn: number) => FormSite, string] => [
      `the form has gained ${what}`,
      () => shop(fixed, what as keyof typeof GAINED),
      isForm ? 'inconclusive: .*(?:other fields|captcha)' : 'fixed',
    ]),
    ['the form is behind a sign-in', () => shop(fixed, 'behind a login'), isForm ? 'inconclusive' : 'fixed'],
  ])('%s', async (_what, site, result) => {
    expect(await retested(site)).toMatch(new RegExp(`^${result}`));
  });

  it('is not tested where nothing may be submitted', async () => {
    expect(await retested(() => shop(fixed), false)).toMatch(/^inconclusive: .*only active tests with full/);
  });
});
