import { Clock } from '../../src/kernel/clock';
import { ProviderSignInService } from '../../src/modules/providers';
import { ProviderClients } from '../../src/modules/providers/provider-clients';
import { query } from '../support/database';
import { unique } from '../support/factories';
import { HostileProvider } from '../support/hostile-provider';
import { CLIENT } from '../support/openid-provider';
import { Browser, type PortalAnswer, signedInAs } from '../support/portal';
import {
  addressAtProvider,
  setUpProvider,
  singleSignOn,
  type SetUpOrganization,
  throughProvider,
  useProviderInstallation,
} from '../support/provider-installation';

let hostile: HostileProvider;
const installation = useProviderInstallation(async () => {
  hostile = await HostileProvider.start();
  return [hostile.host];
});
afterAll(() => hostile.stop());

const newBrowser = (): Browser => new Browser(installation.portal);

function accountOf(domain: string, claims: Record<string, unknown> = {}): string {
  const id = unique('account').replace(' ', '-');
  installation.provider.accounts.set(id, { email: `${id}@${domain}`, email_verified: true, ...claims });
  return id;
}

const byHostile = (): Promise<SetUpOrganization> => setUpProvider(installation, { issuer: hostile.issuer });

/** The parameters with which the portal sends a browser to the provider. */
const begun = async (browser: Browser, page: string): Promise<URLSearchParams> =>
  new URL(await addressAtProvider(browser, page)).searchParams;

/** As the provider sends the browser back, with other parameters. */
const returnTo = (browser: Browser, sent: URLSearchParams, given: Record<string, string>): Promise<PortalAnswer> => {
  const path = sent.get('redirect_uri')?.slice(installation.portal.url.length);
  return browser.get(`${path}?${new URLSearchParams({ state: sent.get('state') ?? '', ...given })}`);
};

/** Signs in at the hostile provider, which asserts these claims with the nonce it was given. */
async function asserted(
  browser: Browser,
  page: string,
  claims: object,
  header?: { alg: string },
): Promise<PortalAnswer> {
  const sent = await begun(browser, page);
  await hostile.willSay({ nonce: sent.get('nonce') ?? '', email_verified: true, ...claims }, header);
  return returnTo(browser, sent, { code: 'any' });
}

const failuresOf = async ({ tenant }: SetUpOrganization): Promise<{ reason: string; claims: object }[]> => {
  const [row] = await query<{ failures: { reason: string; claims: object }[] }>(
    'SELECT failures FROM identity_providers WHERE organization_id = $1',
    [tenant.id],
  );
  return row?.failures ?? [];
};

/** Limits of a minute refill with the time. */
const stopClock = (): void => void jest.spyOn(installation.api.app.get(Clock), 'now').mockReturnValue(new Date());
afterEach(() => jest.restoreAllMocks());

/** Those in the audit log. */
const refusalsOf = async ({ tenant }: SetUpOrganization): Promise<number> => {
  const rows = await query(
    "SELECT id FROM audit_logs WHERE organization_id = $1 AND operation = 'session.create' AND status = 'failure'",
    [tenant.id],
  );
  return rows.length;
};

describe('the answer of a provider', () => {
  it.each([
    ['a character that PostgreSQL refuses', 'none\0'],
    ['characters of which the last is cut', '\u{1F600}'.repeat(300)],
    ['characters of which the last is cut elsewhere', `x${'\u{1F600}'.repeat(300)}`],
  ])('is refused and recorded if its description has %s', async (_what, description) => {
    const organization = await setUpProvider(installation);
    const browser = newBrowser();
    const sent = await begun(browser, organization.signIn);
    const { issuer } = installation.provider;
    const answer = await returnTo(browser, sent, { iss: issuer, error: 'refused', error_description: description });
    expect(answer.status).toBe(403);
    expect((await failuresOf(organization))[0]?.reason).toContain(description.slice(0, 2));
    expect(await refusalsOf(organization)).toBe(1);
  });

  it('is written to the audit log ten times a minute at most while the provider has not signed it', async () => {
    const organization = await setUpProvider(installation);
    stopClock();
    for (let count = 0; count < 12; count++) {
      const browser = newBrowser();
      const sent = await begun(browser, organization.signIn);
      expect((await returnTo(browser, sent, { error: 'refused' })).status).toBe(403);
    }
    expect(await refusalsOf(organization)).toBe(10);
  });

  it('is refused when its iss names another provider, and no code is sent to either', async () => {
    const { signIn } = await byHostile();
    const browser = newBrowser();
    const sent = await begun(browser, signIn);
    hostile.requests.length = 0;
    const answer = await returnTo(browser, sent, {
      code: 'a code of another provider',
      iss: installation.provider.issuer,
    });
    expect(answer.status).toBe(403);
    expect(hostile.requests).toEqual([]);
    expect(browser.cookie('assay')).toBeUndefined();
  });

  it('with the code of another provider, to which its own has led the browser, is sent to neither', async () => {
    const honest = await setUpProvider(installation);
    const { signIn, tenant } = await byHostile();
    const victim = newBrowser();
    const sent = await begun(victim, signIn);
    // The hostile provider leads on to the honest one, with what the portal has sent in a browser of the attacker.
    const address = new URL(await addressAtProvider(newBrowser(), honest.signIn));
    address.searchParams.set('state', sent.get('state') ?? '');
    const back = await installation.provider.authorize(address.href, accountOf(honest.domain));
    // Not every provider says who it is.
    back.searchParams.delete('iss');
    hostile.requests.length = 0;
    expect((await victim.get(back.pathname + back.search)).status).toBe(401);
    expect(hostile.requests).toEqual([]);
    expect(victim.cookie('assay')).toBeUndefined();
    address.searchParams.set('redirect_uri', `${installation.portal.url}/sign-in/provider/callback/${tenant.id}`);
    await expect(installation.provider.authorize(address.href, accountOf(honest.domain))).rejects.toThrow(
      'redirect_uri',
    );
  });

  it('is refused with the code of another session, which PKCE does not fit', async () => {
    const { domain, signIn } = await setUpProvider(installation);
    const stolen = await installation.provider.authorize(
      await addressAtProvider(newBrowser(), signIn),
      accountOf(domain),
    );
    const attacker = newBrowser();
    const sent = await begun(attacker, signIn);
    const { state: _state, ...parameters } = Object.fromEntries(stolen.searchParams);
    expect((await returnTo(attacker, sent, parameters)).status).toBe(403);
    expect(attacker.cookie('assay')).toBeUndefined();
  });

  it('works once, and only in the browser that began the sign-in', async () => {
    const { domain, signIn } = await setUpProvider(installation);
    const browser = newBrowser();
    const back = await installation.provider.authorize(await addressAtProvider(browser, signIn), accountOf(domain));
    const other = newBrowser();
    await other.get(signIn);
    expect((await other.get(back.pathname + back.search)).status).toBe(401);
    expect((await browser.get(back.pathname + back.search)).status).toBe(303);
    expect((await browser.get(back.pathname + back.search)).status).toBe(401);
  });

  it('is refused after ten minutes', async () => {
    const { domain, signIn } = await setUpProvider(installation);
    const browser = newBrowser();
    const back = await installation.provider.authorize(await addressAtProvider(browser, signIn), accountOf(domain));
    await query("UPDATE provider_sign_ins SET expires = now() - interval '1 second'");
    expect((await browser.get(back.pathname + back.search)).status).toBe(401);
  });

  it('is refused with the nonce of another sign-in', async () => {
    const organization = await byHostile();
    const sub = unique('subject');
    const claims = { sub, email: `a@${organization.domain}`, nonce: 'of an earlier sign-in' };
    expect((await asserted(newBrowser(), organization.signIn, claims)).status).toBe(403);
    expect((await failuresOf(organization))[0]?.reason).toContain('JWT');
  });

  it.each(['none', 'HS256'])('is refused with the algorithm %s, also with the public key as secret', async (alg) => {
    const organization = await byHostile();
    const claims = { sub: unique('subject'), email: `a@${organization.domain}` };
    expect((await asserted(newBrowser(), organization.signIn, claims, { alg })).status).toBe(403);
    expect((await asserted(newBrowser(), organization.signIn, claims)).status).toBe(303);
  });

  it('is refused for another client, or of another issuer', async () => {
    const organization = await byHostile();
    const claims = { sub: unique('subject'), email: `a@${organization.domain}` };
    for (const other of [{ aud: 'another' }, { iss: installation.provider.issuer }])
      expect((await asserted(newBrowser(), organization.signIn, { ...claims, ...other })).status).toBe(403);
  });

  it('does not sign in the user of another issuer with the same subject', async () => {
    const one = await setUpProvider(installation);
    const sub = accountOf(one.domain);
    await throughProvider(installation, newBrowser(), one.signIn, sub);
    const two = await byHostile();
    const browser = newBrowser();
    expect((await asserted(browser, two.signIn, { sub, email: `b@${two.domain}` })).status).toBe(303);
    const users = await query('SELECT DISTINCT user_id FROM provider_identities WHERE subject = $1', [sub]);
    expect(users).toHaveLength(2);
    expect((await browser.get(`/o/${one.tenant.id}`)).status).toBe(404);
  });

  it('with the address of a user of another organization signs nobody in, and the owners see the claims', async () => {
    const victim = await setUpProvider(installation);
    const [{ email } = { email: '' }] = await query<{ email: string }>('SELECT email FROM users WHERE id = $1', [
      victim.owner.userId,
    ]);
    const organization = await byHostile();
    const browser = newBrowser();
    const refused = await asserted(browser, organization.signIn, { sub: 'x', email, email_verified: true });
    expect(refused.status).toBe(403);
    expect(refused.text).not.toContain(email);
    expect(browser.cookie('assay')).toBeUndefined();
    const shown = await organization.browser.get(singleSignOn(organization.tenant.id));
    expect(shown.text).toContain('has not verified the domain');
    expect(shown.text).toContain(email);
  });

  it('with the address of a user in the verified domain says to sign in the other way and to link', async () => {
    const organization = await byHostile();
    const email = `${unique('olga').replace(' ', '')}@${organization.domain}`;
    await query('UPDATE users SET email = $2, folded_email = $2 WHERE id = $1', [organization.owner.userId, email]);
    const browser = newBrowser();
    const refused = await asserted(browser, organization.signIn, { sub: unique('x'), email });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('link the provider')]);
    expect(browser.cookie('assay')).toBeUndefined();
  });

  it.each([
    ['an address that is not verified', { email_verified: false }],
    ['an address of which it says nothing', { email_verified: undefined }],
    ['an address with another word than true', { email_verified: 'no' }],
    ['an address with a number', { email_verified: 1 }],
    ['no address', { email: undefined }],
    ['an address with two domains', { email: 'a@x.example@y.example' }],
    ['a subject that is not in ASCII', { sub: 'zo\u00EB', email_verified: true }],
  ])('with %s creates no user', async (_name, claims) => {
    const organization = await byHostile();
    const given = { sub: unique('x'), email: `${unique('b').replace(' ', '')}@${organization.domain}`, ...claims };
    expect((await asserted(newBrowser(), organization.signIn, given)).status).toBe(403);
  });
});

it('of a provider from before the upgrade creates users unless it calls the address unverified, until an owner changes that', async () => {
  const organization = await byHostile();
  await query('UPDATE identity_providers SET needs_verified_email = false WHERE organization_id = $1', [
    organization.tenant.id,
  ]);
  const statusWith = async (verified: unknown): Promise<number> => {
    const email = `${unique('e').replace(' ', '')}@${organization.domain}`;
    const claims = { sub: unique('x'), email, email_verified: verified };
    return (await asserted(newBrowser(), organization.signIn, claims)).status;
  };
  expect([await statusWith(undefined), await statusWith('no'), await statusWith('false')]).toEqual([303, 303, 403]);
  const page = singleSignOn(organization.tenant.id);
  expect((await organization.browser.get(page)).text).toContain('Require it, unless you use Entra ID.');
  expect((await organization.browser.submit(page, `${page}/verified-email`)).status).toBe(303);
  expect([await statusWith(undefined), await statusWith('true')]).toEqual([403, 303]);
  expect((await organization.browser.submit(page, `${page}/verified-email`)).status).toBe(303);
  expect(await statusWith(undefined)).toBe(303);
});

it('that is issued in the future is refused, but for a clock that is a little ahead', async () => {
  const organization = await byHostile();
  const now = Math.floor(Date.now() / 1_000);
  const claimsAt = (iat: number) => ({
    sub: unique('x'),
    email: `${unique('f').replace(' ', '')}@${organization.domain}`,
    iat,
    exp: iat + 600,
  });
  expect((await asserted(newBrowser(), organization.signIn, claimsAt(now + 30))).status).toBe(303);
  expect((await asserted(newBrowser(), organization.signIn, claimsAt(now + 10_000))).status).toBe(403);
  expect((await failuresOf(organization))[0]?.reason).toContain('compare the clocks');
});

describe('a provider', () => {
  it('that is unreachable gives a page that does not mention the database', async () => {
    const organization = await byHostile();
    hostile.answers.set('/token', (request) => request.socket.destroy());
    const browser = newBrowser();
    const { status, text } = await returnTo(browser, await begun(browser, organization.signIn), { code: 'any' });
    expect([status, text]).toEqual([503, expect.stringContaining('The identity provider does not answer.')]);
    expect(text).toContain('<h1>This is not available now</h1>');
    expect(text).not.toMatch(/database/i);
  });

  it('whose keys rotate is asked for the new key', async () => {
    const organization = await byHostile();
    const claims = { sub: unique('x'), email: `${unique('c').replace(' ', '')}@${organization.domain}` };
    await hostile.rotateKeys(unique('key'));
    expect((await asserted(newBrowser(), organization.signIn, claims)).status).toBe(303);
  });

  it('that answers with megabytes is refused', async () => {
    const organization = await byHostile();
    hostile.answers.set('/token', (_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(`{"access_token": "${'a'.repeat(3_000_000)}"}`);
    });
    const browser = newBrowser();
    const sent = await begun(browser, organization.signIn);
    expect((await returnTo(browser, sent, { code: 'any' })).status).toBe(503);
  });

  it('that never answers is abandoned after ten seconds', async () => {
    const organization = await byHostile();
    const closed = new Promise((resolve) => {
      hostile.answers.set('/token', (_request, response) => void response.once('close', resolve));
    });
    const browser = newBrowser();
    const sent = await begun(browser, organization.signIn);
    expect((await returnTo(browser, sent, { code: 'any' })).status).toBe(503);
    await closed;
  });

  it.each<[string, Record<string, string>, string]>([
    ['a private address that the operator does not allow', { issuer: 'http://127.0.0.1:9/' }, 'WEBHOOK_ALLOW'],
    ['an issuer that it does not call itself', { issuer: 'SLASH' }, 'calls itself'],
    ['a role that does not exist', { roles: 'everyone = owner' }, 'viewer, member, admin'],
  ])('cannot be set up with %s', async (_name, fields, reason) => {
    const given = fields['issuer'] === 'SLASH' ? { issuer: `${hostile.issuer}/` } : fields;
    await expect(setUpProvider(installation, { ...CLIENT, ...given })).rejects.toThrow(reason);
  });

  it('whose description or keys are longer than 64 KB, or of which too much must be kept, is refused', async () => {
    const path = '/.well-known/openid-configuration';
    const withMore = (more: object) => hostile.answerWith(path, { ...hostile.metadata, ...more });
    const setUp = () => setUpProvider(installation, { issuer: hostile.issuer });
    withMore({ x: Array.from({ length: 30_000 }, () => []) });
    await expect(setUp()).rejects.toThrow('sent too much');
    withMore({ userinfo_endpoint: `${hostile.issuer}/${'x'.repeat(17_000)}` });
    await expect(setUp()).rejects.toThrow('more than 16384 characters');
    withMore({ claims_supported: Array.from({ length: 5_000 }, () => 'claim') });
    const organization = await setUp();
    hostile.answers.delete(path);
    const keys = hostile.answers.get('/keys');
    hostile.answerWith('/keys', { keys: [], x: 'x'.repeat(66_000) });
    const claims = { sub: unique('x'), email: `${unique('g').replace(' ', '')}@${organization.domain}` };
    expect((await asserted(newBrowser(), organization.signIn, claims)).status).toBe(503);
    if (keys !== undefined) hostile.answers.set('/keys', keys);
    expect((await asserted(newBrowser(), organization.signIn, claims)).status).toBe(303);
  });

  it('is remembered after it was saved, one of each organization', async () => {
    const { id: organizationId } = await installation.make.organization();
    const clients = installation.api.app.get(ProviderClients);
    const client = (clientId: string) => ({
      organizationId,
      issuer: hostile.issuer,
      clientId,
      clientSecret: 's',
      groupsClaim: 'groups',
    });
    const asked = async (work: (provider: ReturnType<typeof client>) => Promise<unknown>, id: string) => {
      hostile.requests.length = 0;
      await work(client(id));
      return hostile.requests.length;
    };
    const tries = (provider: ReturnType<typeof client>) => clients.require(provider);
    const signsIn = (provider: ReturnType<typeof client>) =>
      clients.authorizationUrl(provider, { state: 's', nonce: 'n', verifier: 'v'.repeat(43) });
    expect([await asked(tries, 'a'), await asked(tries, 'a')]).toEqual([1, 1]);
    expect([await asked(signsIn, 'a'), await asked(signsIn, 'a'), await asked(signsIn, 'b')]).toEqual([1, 0, 1]);
    expect([await asked(signsIn, 'b'), await asked(signsIn, 'a')]).toEqual([0, 1]);
  });

  it('can be tried ten times a minute by an organization', async () => {
    const { browser, tenant } = await byHostile();
    stopClock();
    const page = singleSignOn(tenant.id);
    const save = (client: number) =>
      browser.submit(page, page, {
        issuer: hostile.issuer,
        client_id: `c${client}`,
        client_secret: 's',
        groups_claim: 'g',
      });
    for (let count = 0; count < 9; count++) expect((await save(count)).status).toBe(303);
    hostile.requests.length = 0;
    const refused = await save(10);
    expect([refused.status, refused.text]).toEqual([429, expect.stringContaining('The provider was saved too often.')]);
    expect(hostile.requests).toEqual([]);
    expect((await setUpProvider(installation, { issuer: hostile.issuer })).tenant.id).not.toBe(tenant.id);
  });

  it('whose authorization endpoint is not a web address is refused', async () => {
    const metadata = { ...hostile.metadata, authorization_endpoint: 'javascript:alert(1)//' };
    const organization = await setUpProvider(installation, { issuer: hostile.issuer, client_id: unique('client') });
    hostile.answerWith('/.well-known/openid-configuration', metadata);
    await setUpProvider(installation, { issuer: hostile.issuer, client_id: unique('client') }).then(
      async ({ signIn }) => expect((await newBrowser().get(signIn)).status).toBe(403),
    );
    hostile.answers.delete('/.well-known/openid-configuration');
    expect((await newBrowser().get(organization.signIn)).status).toBe(200);
  });
});

describe('a sign-in through a provider', () => {
  it.each(['//evil.example', 'https://evil.example/', '/\\evil.example', '/a/..//evil.example'])(
    'leads to no other site: %s',
    async (next) => {
      const { domain, signIn } = await setUpProvider(installation);
      const page = `${signIn}?next=${encodeURIComponent(next)}`;
      const answer = await throughProvider(installation, newBrowser(), page, accountOf(domain));
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
    },
  );

  it('replaces the token of a session that was planted', async () => {
    const { domain, signIn, tenant } = await setUpProvider(installation);
    const account = accountOf(domain);
    const browser = newBrowser();
    await throughProvider(installation, browser, signIn, account);
    const planted = browser.cookie('assay') ?? '';
    await throughProvider(installation, browser, signIn, account);
    expect(browser.cookie('assay')).not.toBe(planted);
    const attacker = newBrowser();
    attacker.setCookie('assay', planted);
    expect((await attacker.get(`/o/${tenant.id}`)).status).toBe(303);
  });

  it('ends the session of another user in the browser', async () => {
    const { domain, signIn, owner, tenant } = await setUpProvider(installation);
    const browser = await signedInAs(installation.api, installation.portal, owner);
    const earlier = browser.cookie('assay') ?? '';
    await throughProvider(installation, browser, signIn, accountOf(domain));
    const old = newBrowser();
    old.setCookie('assay', earlier);
    expect((await old.get(`/o/${tenant.id}`)).status).toBe(303);
    expect((await browser.get(singleSignOn(tenant.id))).status).toBe(403);
  });

  it('is limited for all addresses of one client together', async () => {
    const { signIn } = await setUpProvider(installation);
    const signIns = installation.api.app.get(ProviderSignInService);
    stopClock();
    const begin = (host: number) =>
      signIns.begin({
        providerId: signIn.slice(signIn.lastIndexOf('/') + 1),
        browser: undefined,
        ip: `2001:db8:0:7::${host.toString(16)}`,
        next: '/',
      });
    for (let host = 1; host <= 60; host++) await begin(host);
    await expect(begin(61)).rejects.toThrow('Too many sign-ins were begun.');
  });

  it('is not begun by another site: a person has to follow the link of the page', async () => {
    const { signIn } = await setUpProvider(installation);
    const answer = await newBrowser().get(signIn);
    expect([answer.status, answer.headers.get('location')]).toEqual([200, null]);
  });
});
