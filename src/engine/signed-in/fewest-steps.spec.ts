import { transportTo } from '../active/testing/injectable-shop';
import { MembersSite, MemoryBook, PASSWORD, USER } from '../testing/members-site';
import type { Account, SignInRecipe, SignInRequest } from './account';
import { fewestSteps } from './fewest-steps';

let site: MembersSite;
beforeEach(async () => {
  site = await MembersSite.start();
});
afterEach(() => site.stop());

const get = (path: string): SignInRequest => ({
  method: 'GET',
  url: `${site.origin}${path}`,
  format: 'none',
  fields: [],
});
const login = (field: string): SignInRequest => ({
  method: 'POST',
  url: `${site.origin}/login`,
  format: 'form',
  fields: [
    ['login', { from: 'user_name' }],
    ['pw', { from: 'password' }],
    ['go', { from: 'text', text: '1' }],
    ['csrf_token', { from: 'page', name: field }],
  ],
});
const apiLogin = (): SignInRequest => ({
  method: 'POST',
  url: `${site.origin}/api/login`,
  format: 'json',
  fields: [
    ['user.name', { from: 'user_name' }],
    ['user.password', { from: 'password' }],
  ],
});

async function run(steps: readonly SignInRequest[], more: Partial<Account> = {}) {
  const recipe: Extract<SignInRecipe, { kind: 'steps' }> = { kind: 'steps', userName: USER, steps };
  const account = { ...site.account(recipe, more), recipe };
  const [book, trials] = [new MemoryBook(), new MemoryBook()];
  const via = { signal: new AbortController().signal };
  const report = await fewestSteps(account, { transport: transportTo(site.port), via, book }, trials);
  const tries = site.received.filter(({ method }) => method === 'POST').length;
  const left = report.recorded?.kind === 'steps' ? report.recorded.steps : null;
  return { report, tries, left };
}

it('leaves the page with the token and the request with the password, each proved by a sign-in', async () => {
  const noise = Array.from({ length: 12 }, (_none, at) => get(`/page/${at}`));
  const { report, left, tries } = await run([...noise, get('/login'), login('csrf_token')], { proof: null });
  expect(left).toEqual([get('/login'), login('csrf_token')]);
  expect(report).toMatchObject({
    result: 'signed_in',
    reason: expect.stringMatching(/^2 of 14 recorded requests sign in, as [34] sign-ins have shown/),
    proposals: expect.arrayContaining([expect.objectContaining({ proof: expect.anything() })]),
  });
  expect(tries).toBeLessThanOrEqual(4);
  expect(JSON.stringify(report)).not.toContain(PASSWORD);
});

it('leaves one request where nothing else is needed', async () => {
  const { left } = await run([get('/login'), get('/account'), apiLogin()], {
    proof: { url: `${site.origin}/api/me`, text: USER, isOnly: 'in' },
  });
  expect(left).toEqual([apiLogin()]);
});

it('proposes nothing if the recording does not sign in, or nothing shows that it does', async () => {
  const wrong = await run([get('/login'), login('csrf_token')], { secrets: { password: 'not the password' } });
  expect([wrong.report.result, wrong.left, wrong.tries]).toEqual(['failed', null, 1]);
  site.isBlind = true;
  site.answer = ({ path }) => (path === '/login' || path === '/account' ? null : 'the same for all');
  const blind = await run([get('/login'), login('csrf_token')], { proof: null });
  expect(blind.left).toBeNull();
});
