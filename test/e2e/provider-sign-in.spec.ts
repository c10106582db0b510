import { query } from '../support/database';
import { unique } from '../support/factories';
import { Browser } from '../support/portal';
import {
  setUpProvider,
  singleSignOn,
  throughProvider,
  useProviderInstallation,
} from '../support/provider-installation';

const installation = useProviderInstallation();

const accountOf = (domain: string, claims: Record<string, unknown> = {}) => {
  const id = unique('account').replace(' ', '-');
  const email = `${id}@${domain}`;
  installation.provider.accounts.set(id, { email, email_verified: true, name: 'Olga Example', ...claims });
  return { id, email };
};

describe('a first sign-in through the provider of an organization', () => {
  it('creates a member with an unproved address and no password, in the verified domain', async () => {
    const { tenant, domain, signIn } = await setUpProvider(installation);
    const { id, email } = accountOf(domain);
    const browser = new Browser(installation.portal);
    const answer = await throughProvider(installation, browser, `${signIn}?next=/o/${tenant.id}/findings`, id);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/o/${tenant.id}/findings`]);
    expect((await browser.get(`/o/${tenant.id}/findings`)).status).toBe(200);
    const [user] = await query(
      `SELECT u.email, u.name, u.password_hash, m.role, p.user_id AS proved FROM users u JOIN memberships m ON m.user_id = u.id
       LEFT JOIN address_proofs p ON p.user_id = u.id WHERE u.email = $1`,
      [email],
    );
    expect(user).toEqual({ email, name: 'Olga Example', password_hash: null, role: 'member', proved: null });
  });
});

it('is set up by owners alone', async () => {
  const { tenant, browser } = await setUpProvider(installation);
  expect((await browser.get(singleSignOn(tenant.id))).status).toBe(200);
});
