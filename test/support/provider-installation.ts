import type { NestExpressApplication } from '@nestjs/platform-express';
import { createLog } from '../../src/platform/logging/log';
import { createPortal } from '../../src/portal/create-portal';
import { type RunningApi, startApi, testConfig } from './api';
import { useContract } from './contract';
import { CLIENT, freePort, OpenidProvider } from './openid-provider';
import { Factories, type Person, type Tenant, uniqueDomain } from './factories';
import { Browser, PASSWORD, type PortalAnswer, signedInAs } from './portal';
import { query } from './database';

export interface ProviderInstallation {
  readonly api: RunningApi;
  readonly portal: { readonly url: string };
  readonly provider: OpenidProvider;
  readonly make: Factories;
  readonly settings: Record<string, string>;
}

/** A portal whose address is known before it starts, and a provider on loopback that the operator allows. */
export function useProviderInstallation(
  allowed: () => Promise<readonly string[]> = async () => [],
  more: () => Record<string, string> = () => ({}),
): ProviderInstallation {
  let running: { api: RunningApi; app: NestExpressApplication; provider: OpenidProvider } | undefined;
  const portal = { url: '' };
  const settings: Record<string, string> = {};
  beforeAll(async () => {
    const port = await freePort();
    portal.url = `http://127.0.0.1:${port}`;
    const provider = await OpenidProvider.start(portal.url);
    settings['PORTAL_URL'] = portal.url;
    settings['WEBHOOK_ALLOW'] = [provider.host, ...(await allowed())].join(',');
    settings['OIDC_ISSUER'] = provider.issuer;
    settings['OIDC_CLIENT_ID'] = CLIENT.client_id;
    settings['OIDC_CLIENT_SECRET'] = CLIENT.client_secret;
    Object.assign(settings, more());
    const api = await startApi(settings);
    useContract(api.app);
    const log = createLog({ LOG_LEVEL: 'silent', LOG_FORMAT: 'json' });
    const app = await createPortal(await testConfig(settings), log, api.app);
    await app.listen(port, '127.0.0.1');
    running = { api, app, provider };
  });
  afterAll(async () => {
    await running?.app.close();
    await running?.api.app.close();
    running?.provider.stop();
  });
  const current = () => {
    if (running === undefined) throw new Error('the installation is available from beforeAll on');
    return running;
  };
  const api: RunningApi = {
    get app() {
      return current().api.app;
    },
    get url() {
      return current().api.url;
    },
    get port() {
      return current().api.port;
    },
  };
  return {
    api,
    portal,
    settings,
    make: new Factories(api),
    get provider() {
      return current().provider;
    },
  };
}

export interface SetUpOrganization {
  readonly tenant: Tenant;
  readonly owner: Person;
  /** In which the owner is signed in with the password. */
  readonly browser: Browser;
  readonly domain: string;
  /** The page that members begin at. */
  readonly signIn: string;
}

export const singleSignOn = (organizationId: number): string => `/o/${organizationId}/settings/single-sign-on`;

/** An organization with a verified domain, whose owner has set up the provider in the portal. */
export async function setUpProvider(
  { api, portal, make, provider }: ProviderInstallation,
  fields: Record<string, string> = {},
): Promise<SetUpOrganization> {
  const tenant = await make.organization();
  const owner = await tenant.as('owner');
  const domain = uniqueDomain();
  await make.domain(tenant.id, { value: domain, verified: true });
  const browser = await signedInAs(api, portal, owner);
  if (fields['issuer'] === undefined) provider.redirectUris.add(`${portal.url}/sign-in/provider/callback/${tenant.id}`);
  const page = singleSignOn(tenant.id);
  const saved = await browser.submit(page, page, {
    issuer: provider.issuer,
    ...CLIENT,
    groups_claim: 'groups',
    default_role: 'member',
    creates_users: 'true',
    ...fields,
  });
  if (saved.status !== 303) throw new Error(saved.text);
  const [row] = await query<{ id: string }>('SELECT id FROM identity_providers WHERE organization_id = $1', [
    tenant.id,
  ]);
  return { tenant, owner, browser, domain, signIn: `/sign-in/provider/${row?.id}` };
}

/** The address at the provider that a page leads to. */
export async function addressAtProvider(browser: Browser, page: string): Promise<string> {
  return addressIn(await browser.get(page));
}

function addressIn({ status, text }: PortalAnswer): string {
  const [, url] = /<a class="button primary" href="([^"]*)"/.exec(text) ?? [];
  if (url === undefined) throw new Error(`${status} ${text}`);
  return url.replaceAll('&amp;', '&');
}

/** The address at the provider, after the user has shown the password on the page of linked providers. */
export const addressToLink = async (browser: Browser, providerId: string, current = PASSWORD): Promise<string> =>
  addressIn(await browser.submit(LINKED, `${LINKED}/${providerId}/link`, { current }));

/** Links the provider to the signed-in user. */
export async function linkProvider(
  { provider }: Pick<ProviderInstallation, 'provider'>,
  browser: Browser,
  providerId: string,
  account: string,
  password = PASSWORD,
): Promise<PortalAnswer> {
  const back = await provider.authorize(await addressToLink(browser, providerId, password), account);
  return browser.get(back.pathname + back.search);
}

const LINKED = '/settings/providers';

/** Goes from a page of the portal to the provider and back. */
export async function throughProvider(
  { provider }: Pick<ProviderInstallation, 'provider'>,
  browser: Browser,
  page: string,
  account: string,
): Promise<PortalAnswer> {
  const back = await provider.authorize(await addressAtProvider(browser, page), account);
  return browser.get(back.pathname + back.search);
}
