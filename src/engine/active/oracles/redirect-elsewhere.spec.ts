import { type Application, observeApplication, pageWith } from '../testing/simulated-point';
import { redirectElsewhere } from './redirect-elsewhere';

const to = (location: string): ReturnType<Application> => ({ status: 302, headers: { location } });
const going =
  (isAllowed: (value: string) => boolean): Application =>
  (value) =>
    to(isAllowed(value) ? value : '/');

describe('open redirect at a point', () => {
  it.each<[string, string, Application]>([
    ['leads to any address', '1', going(() => true)],
    ['refuses addresses with a scheme', '1', going((value) => value.startsWith('/'))],
    ['refuses two slashes', '/news', going((value) => /^\/[^/]/.test(value))],
    ['looks for its own name', '/news', going((value) => value.includes('target.test'))],
    ['looks for its own name at the beginning', '/news', going((value) => value.startsWith('https://target.test'))],
    ['puts its name in front', '/news', (value) => to(`https://target.test${value}`)],
    ['does so with a meta tag', '/news', (value) => pageWith(`<meta http-equiv="refresh" content="0; url=${value}">`)],
    ['does so with a script', '/news', (value) => pageWith(`<script>window.location.replace('${value}')</script>`)],
    [
      'does so with a script, and escapes slashes',
      '/news',
      (value) => pageWith(`<SCRIPT type=x>\ntop.location.href = "${value.replaceAll('/', '\\/')}";</SCRIPT>`),
    ],
    [
      'does so with a script after others, and without a semicolon',
      '/news',
      (value) =>
        pageWith(
          `<script><!--\nvar a = {b: ";"}; /* to */\nif (a) { x("}") }\ndocument.location="${value}"\nx() //--></script>`,
        ),
    ],
    ['does so with Refresh', '/news', (value) => ({ headers: { refresh: `0; url=${value}` }, body: 'Wait' })],
  ])('is proved where the application %s', async (_what, value, application) => {
    const { outcome } = await observeApplication(redirectElsewhere, application, { value });
    expect(outcome).toMatchObject({ state: 'proved', certainty: expect.stringContaining('.example') });
    if (outcome.state !== 'proved') return;
    const { variant } = outcome;
    const again = await observeApplication(redirectElsewhere, application, { value, variant, isRepeat: true });
    expect(again.outcome).toMatchObject({ state: 'proved', variant });
    expect(again.values.length).toBeLessThanOrEqual(4);
  });

  it.each<[string, Application]>([
    ['leads to its own paths', going((value) => /^\/\w/.test(value))],
    [
      'keeps the address for a login elsewhere',
      (_value, path) => to(`https://sso.test/?to=${encodeURIComponent(path)}`),
    ],
    [
      'leads to whatever its query contains',
      (_value, path) => to(decodeURIComponent(/https%3A%2F%2F[^&]*/.exec(path)?.[0] ?? '/')),
    ],
    ['has it in the query of a script', (value) => pageWith(`<script>location = '/login?to=${value}'</script>`)],
    ['gives it to another name', (value) => pageWith(`<script>geolocation = '${value}'; x('${value}')</script>`)],
    ['gives it to a member', (value) => pageWith(`<script>config.location = '${value}';</script>`)],
    ['declares it', (value) => pageWith(`<script>1; var location = '${value}';</script>`)],
    ['has it in a comment', (value) => pageWith(`<script>\n// location = '${value}'\n</script>`)],
    ['has it in a long comment', (value) => pageWith(`<script>/* ; location = '${value}'; */</script>`)],
    ['asks first', (value) => pageWith(`<script>if (isOwn('${value}'))\nlocation.href = '${value}';</script>`)],
    ['asks before a block', (value) => pageWith(`<script>if (ok(u)) { location.href = '${value}'; }</script>`)],
    ['asks with a sign', (value) => pageWith(`<script>1; ok(u) && (location.href = '${value}');</script>`)],
    ['asks for the other case', (value) => pageWith(`<script>if (a) b(); else location = '${value}';</script>`)],
    ['has it in a function', (value) => pageWith(`<script>function go() { x(); location = '${value}'; }</script>`)],
    [
      'has it in a function with a brace in a pattern',
      (value) => pageWith(`<script>function go() { x(/}/); location = '${value}'; }</script>`),
    ],
    ['ends it with its own name', (value) => pageWith(`<script>location = '${value}' + '.target.test/';</script>`)],
    ['shows code', (value) => pageWith(`<script>go(); // now</script>\nlocation = '${value}';`)],
    ['names the address', (value) => pageWith(`You leave us for ${value}`)],
    ['moved', (_value, path) => to(`https://www.target.test${path}`)],
  ])('is sound where the application %s', async (_what, application) => {
    const { outcome, unjudged } = await observeApplication(redirectElsewhere, application, { value: '/news' });
    expect(outcome.state).toBe('sound');
    expect(unjudged).toBe(0);
  });

  it.each<[string, Application]>([
    ['has it in a function', (value) => pageWith(`<script>function go() { location = '${value}'; }</script>`)],
    ['gives it to a script in an attribute', (value) => pageWith(`<a id="go" href="${value}">Go</a>`)],
    ['names the address', (value) => pageWith(`You leave us for ${value}`)],
  ])('is in doubt in a retest, and in no job, where the application %s', async (what, application) => {
    const doubtsOf = async (variant?: string): Promise<readonly unknown[]> =>
      (await observeApplication(redirectElsewhere, application, { value: '/news', variant })).doubts;
    const expected = what === 'names the address' ? undefined : expect.stringContaining('a script may lead to ');
    expect((await doubtsOf('https://@/'))[0]).toEqual(expected);
    expect(await doubtsOf()).toEqual([]);
  });

  it('is disturbed when a firewall refuses addresses', async () => {
    const { outcome } = await observeApplication(redirectElsewhere, (value) =>
      /\.example/.test(value) ? { status: 403, body: 'Blocked' } : to('/'),
    );
    expect(outcome.state).toBe('disturbed');
  });
});
