import { LaunchRule, type LaunchRequest } from '../../src/modules/retests';
import { parseLaunchUrl } from '../../src/modules/jobs/domain/launch-url';
import { Scope } from '../../src/platform/api/scope';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories, type Tenant, uniqueDomain } from '../support/factories';
import { PrivateNetworks } from '../support/linked-networks';

const opened = '127.0.0.1:8080';
const api = useApi({ EGRESS_ALLOW: opened });
const make = new Factories(api);
const networks = new PrivateNetworks();
beforeAll(() => networks.useIn(api.app));

type LaunchOptions = Omit<LaunchRequest, 'scope' | 'target'> & { scope?: Scope };

const evaluate = (tenant: Pick<Tenant, 'id'>, url: string, options: LaunchOptions = {}) =>
  api.app
    .get(LaunchRule)
    .evaluate({ scope: Scope.organizations([tenant.id]), ...options, target: parseLaunchUrl(url) });

const notLaunchable = (reason: string | RegExp) => ({ launchable: false, reason: expect.stringMatching(reason) });

async function withDomain(): Promise<{ tenant: Tenant; domain: string }> {
  const tenant = await make.organization();
  const { value: domain } = await make.domain(tenant.id, { verified: true });
  return { tenant, domain };
}

describe('the launch rule', () => {
  it('allows an organization to test its verified domain and its subdomains', async () => {
    const { tenant, domain } = await withDomain();
    for (const host of [domain, `a.b.${domain}`, `${domain.toUpperCase()}.`]) {
      expect(await evaluate(tenant, `https://${host}:8443/path`)).toMatchObject({
        launchable: true,
        organizationId: tenant.id,
        eventId: null,
        target: { scheme: 'https', port: 8443, path: '/path' },
      });
    }
  });

  it('refuses the ports of printers and controllers until an admin names one for the asset', async () => {
    const { tenant, domain } = await withDomain();
    const { id } = await make.asset(tenant.id, { value: `https://x.${domain}:9100/`, type: 'url' });
    const printer = `https://x.${domain}:9100/`;
    const refusal = notLaunchable('Printers and controllers listen on port 9100');
    expect(await evaluate(tenant, printer)).toEqual(refusal);
    expect(await evaluate(tenant, printer, { test: 'retest' })).toEqual(refusal);
    const { client } = await tenant.as('admin');
    const name = (ports: string) => client.patch(`/v1/assets/${id}/observation`, { observe_ports: ports });
    // A range does not name it.
    await name('9000-9200');
    expect(await evaluate(tenant, printer)).toEqual(refusal);
    await name('9000,9100');
    expect(await evaluate(tenant, printer)).toMatchObject({ launchable: true, assetId: id });
    expect(await evaluate(tenant, `https://x.${domain}:502/`)).toEqual(notLaunchable('listen on port 502'));
  });

  it('requires an asset and a verified domain', async () => {
    const { tenant, domain } = await withDomain();
    const { value: unverified } = await make.domain(tenant.id);
    expect(await evaluate(tenant, `https://${unverified}/`)).toEqual(notLaunchable('is not verified: add it'));
    expect(await evaluate(tenant, `https://x${domain}/`)).toEqual(notLaunchable('No asset covers'));
    await query('DELETE FROM assets WHERE organization_id = $1 AND value = $2', [tenant.id, domain]);
    expect(await evaluate(tenant, `https://${domain}/`)).toEqual(notLaunchable('No asset covers'));
  });

  it('does not accept a domain that another organization has verified', async () => {
    const { domain } = await withDomain();
    const other = await make.organization();
    await make.asset(other.id, { value: domain });
    expect(await evaluate(other, `https://${domain}/`)).toEqual(notLaunchable('is not verified'));
    expect(await evaluate(other, `https://www.${domain}/`)).toEqual(notLaunchable('is not verified'));
    expect(await evaluate(other, `https://${domain}/`, { organizationId: other.id })).toEqual(
      notLaunchable('is not verified'),
    );
  });

  it.each([
    'ftp://example.com/',
    'https://user@example.com/',
    'https://user:secret@example.com/',
    'https://exam\nple.com/',
    'example.com',
  ])('refuses the target %j', async (url) => {
    const { client } = await (await make.organization()).as('member');
    expect(await client.post('/v1/jobs/check', { url })).toMatchObject({ status: 400 });
  });

  it.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '8.8.8.8', '[::1]', '0x7f.1', '[::ffff:127.0.0.1]'])(
    'refuses the address %s although it is an asset',
    async (host) => {
      const tenant = await make.organization();
      await make.asset(tenant.id, { value: '127.0.0.1', type: 'ip' });
      await make.asset(tenant.id, { value: '::1', type: 'ip' });
      for (const value of ['10.0.0.0/16', '169.254.0.0/16', '8.8.0.0/16'])
        await make.asset(tenant.id, { value, type: 'cidr' });
      expect(await evaluate(tenant, `http://${host}/`)).toEqual(notLaunchable('its owner cannot be verified'));
    },
  );

  it('allows an endpoint opened by the operator for a verified domain, if it is an asset', async () => {
    const tenant = await make.organization();
    const none = notLaunchable('No asset covers');
    expect(await evaluate(tenant, `http://${opened}/`)).toEqual(none);
    await make.asset(tenant.id, { value: '127.0.0.0/16', type: 'cidr' });
    expect(await evaluate(tenant, `http://${opened}/`)).toEqual(notLaunchable('its owner cannot be verified'));
    const { id } = await make.asset(tenant.id, { value: `http://${opened}/`, type: 'url' });
    expect(await evaluate(tenant, `http://${opened}/`)).toMatchObject({ launchable: true, assetId: id });
    expect(await evaluate(tenant, 'http://127.0.0.1:8081/')).toEqual(notLaunchable('its owner cannot be verified'));
    expect(await evaluate(await make.organization(), `http://${opened}/`)).toEqual(none);
  });

  it('allows a URL asset on an IP address only for its own port', async () => {
    const tenant = await make.organization();
    await make.asset(tenant.id, { value: 'http://127.0.0.1:8081/', type: 'url' });
    expect(await evaluate(tenant, `http://${opened}/`)).toEqual(notLaunchable('No asset covers'));
    await make.asset(tenant.id, { value: `http://${opened}/`, type: 'url' });
    expect(await evaluate(tenant, `http://${opened}/`)).toMatchObject({ launchable: true });
  });

  it('selects the URL asset that contains the target', async () => {
    const { tenant, domain } = await withDomain();
    const other = await make.organization();
    const page = async ({ id }: Tenant, path: string): Promise<number> =>
      (await make.asset(id, { value: `https://${domain}${path}`, type: 'url' })).id;
    const whole = await page(tenant, '/');
    const app = await page(tenant, '/app');
    const apple = await page(tenant, '/apple');
    const chosenFor = (path: string, scope?: Scope) => evaluate(tenant, `https://${domain}${path}`, scope && { scope });
    expect(await chosenFor('/apple/x')).toMatchObject({ launchable: true, assetId: apple });
    expect(await chosenFor('/app/x')).toMatchObject({ launchable: true, assetId: app });
    expect(await chosenFor('/pear')).toMatchObject({ launchable: true, assetId: whole });

    await page(other, '/');
    const both = Scope.organizations([tenant.id, other.id]);
    expect(await chosenFor('/pear', both)).toEqual(notLaunchable('name an event or limit the key'));
    expect(await chosenFor('/app/x', both)).toMatchObject({ organizationId: tenant.id, assetId: app });
  });

  describe('with a beacon', () => {
    const behind = async (cidrs = ['10.20.0.0/16']) => {
      const { tenant, domain } = await withDomain();
      const { id: beaconId } = await make.beacon(tenant.id, { allowed_cidrs: cidrs });
      const network = networks.of(beaconId);
      const add = (value: string, type: string) => make.asset(tenant.id, { value, type, beaconId });
      const at = (url: string, options: LaunchOptions = {}) => evaluate(tenant, url, { beaconId, ...options });
      return { tenant, domain, beaconId, network, add, at };
    };

    it('answers for a beacon of another organization as for one that does not exist', async () => {
      const { tenant, domain, add } = await behind();
      await add('10.20.0.1', 'ip');
      const other = await make.organization();
      const foreign = await make.beacon(other.id, { allowed_cidrs: ['10.20.0.0/16'] });
      networks.of(foreign.id);
      await make.asset(other.id, { value: '10.20.0.1', type: 'ip', beaconId: foreign.id });
      for (const beaconId of [foreign.id, 2_147_483_647]) {
        for (const url of [`https://${domain}/`, 'http://10.20.0.1/'])
          for (const organizationId of [undefined, tenant.id])
            expect(await evaluate(tenant, url, { beaconId, organizationId })).toEqual(
              notLaunchable('^There is no such beacon: name one of yours, or leave out beacon_id.$'),
            );
      }
      // One key for two organizations: the beacon decides which one it is.
      const scope = Scope.organizations([tenant.id, other.id]);
      expect(await evaluate(tenant, 'http://10.20.0.1/', { scope, beaconId: foreign.id })).toMatchObject({
        organizationId: other.id,
        beacon: { id: foreign.id },
      });
      const mine = { scope, beaconId: foreign.id, organizationId: tenant.id };
      expect(await evaluate(tenant, 'http://10.20.0.1/', mine)).toEqual(notLaunchable('There is no such beacon'));
    });

    it('requires an asset with this beacon', async () => {
      const { tenant, domain, beaconId, add, at } = await behind();
      const url = 'http://10.20.0.1:8080/';
      const refused = notLaunchable(
        new RegExp(`No asset behind the beacon .* covers 10.20.0.1: add it, .* with beacon_id ${beaconId}\\.$`),
      );
      expect(await at(url)).toEqual(refused);
      const second = await make.beacon(tenant.id);
      await make.asset(tenant.id, { value: '10.20.0.1', type: 'ip' });
      await make.asset(tenant.id, { value: '10.20.0.1', type: 'ip', beaconId: second.id });
      expect(await at(url)).toEqual(refused);
      // The domain is verified, but the asset is on the Internet.
      expect(await at(`https://${domain}/`)).toEqual(notLaunchable('No asset behind the beacon'));
      const { id: assetId } = await add('10.20.0.1', 'ip');
      expect(await at(url)).toMatchObject({ launchable: true, assetId, beacon: { id: beaconId } });
      expect(await evaluate(tenant, url)).toEqual(notLaunchable('its owner cannot be verified'));
    });

    it.each([
      ['10.20.0.0/24', 'cidr', 'http://10.20.0.9/', true],
      ['10.20.0.0/24', 'cidr', 'http://10.20.1.9/', false],
      ['http://10.20.0.9:8080/', 'url', 'http://10.20.0.9:8080/app', true],
      ['http://10.20.0.9:8080/', 'url', 'http://10.20.0.9/', false],
      ['corp.example', 'domain', 'https://wiki.corp.example/', true],
      ['corp.example', 'domain', 'https://corp2.example/', false],
      ['https://wiki.corp.example/', 'url', 'https://wiki.corp.example/a', true],
    ])('with the asset %s (%s) covers %s: %j', async (value, type, url, expected) => {
      const { add, at } = await behind();
      await add(value, type);
      expect((await at(url)).launchable).toBe(expected);
    });

    it('requires that an address is in allowed_cidrs, which may have changed', async () => {
      const { tenant, beaconId, add, at } = await behind();
      await add('10.30.0.0/16', 'cidr');
      await add('10.20.0.1', 'ip');
      expect(await at('http://10.30.0.1/')).toEqual(
        notLaunchable(
          /10\.30\.0\.1 is outside of the allowed_cidrs of the beacon .* \(10\.20\.0\.0\/16\): change them/,
        ),
      );
      expect(await at('http://10.20.0.1/')).toMatchObject({ launchable: true });
      const { client } = await tenant.as('admin');
      await client.patch(`/v1/organizations/${tenant.id}/beacons/${beaconId}`, { allowed_cidrs: ['10.30.0.0/16'] });
      expect(await at('http://10.20.0.1/')).toEqual(notLaunchable('outside of the allowed_cidrs'));
      expect(await at('http://10.30.0.1/')).toMatchObject({ launchable: true });
    });

    it.each([
      ['169.254.169.254', 'Beacons do not connect to'],
      ['127.0.0.1', 'Beacons do not connect to'],
      ['168.63.129.16', 'Beacons do not connect to'],
      ['8.8.8.8', '8.8.8.8 is not a private address, and its owner cannot be verified'],
    ])('refuses the address %s in the widest allowed_cidrs', async (host, reason) => {
      const { beaconId, add, at } = await behind();
      await query("UPDATE beacons SET allowed_cidrs = '{0.0.0.0/0}' WHERE id = $1", [beaconId]);
      await add(host, 'ip');
      expect(await at(`http://${host}/`)).toEqual(notLaunchable(reason));
    });

    it('says of each name whether it may lead to addresses that are not private', async () => {
      const { domain, add, at } = await behind();
      await add(domain, 'domain');
      await add('corp.example', 'domain');
      const provenAt = async (host: string): Promise<boolean> => {
        const launch = await at(`http://${host}/`);
        if (!launch.launchable) throw new Error(launch.reason);
        return launch.isProven({ host, port: 80 });
      };
      expect(await provenAt(`www.${domain}`)).toBe(true);
      expect(await provenAt('corp.example')).toBe(false);
    });

    it('requires that the beacon is connected, unless the caller waits for it', async () => {
      const { network, add, at } = await behind();
      await add('10.20.0.1', 'ip');
      network.isConnected = false;
      expect(await at('http://10.20.0.1/')).toEqual(
        notLaunchable(/^The beacon .* is not connected: start its agent \(assay-beacon\), and try again\.$/),
      );
      expect(await at('http://10.20.0.1/', { waitsForBeacon: true })).toMatchObject({ launchable: true });
      // What has to be corrected first is said first.
      expect(await at('http://10.20.0.2/')).toEqual(notLaunchable('No asset behind the beacon'));
    });

    it('considers the scope of the event behind this beacon', async () => {
      const { tenant, add, at } = await behind();
      const { client } = await tenant.as('admin');
      const { slug: eventSlug } = await make.event(tenant.id, { status: 'running' });
      const list = (asset_id: number, in_scope: boolean) =>
        client.post(`/v1/events/${eventSlug}/scope/assets/`, { asset_id, in_scope });
      const block = await add('10.20.0.0/24', 'cidr');
      const url = 'http://10.20.0.5/';
      expect(await at(url, { eventSlug })).toEqual(notLaunchable('is not in the scope of the event'));
      await list(block.id, true);
      expect(await at(url, { eventSlug })).toMatchObject({ launchable: true, assetId: block.id });
      const second = await make.beacon(tenant.id);
      const elsewhere = await make.asset(tenant.id, { value: '10.20.0.5', type: 'ip', beaconId: second.id });
      await list(elsewhere.id, false);
      expect(await at(url, { eventSlug })).toMatchObject({ launchable: true });
      await list((await add('10.20.0.5', 'ip')).id, false);
      expect(await at(url, { eventSlug })).toEqual(notLaunchable('which excludes 10.20.0.5'));
      const foreign = await make.event((await make.organization()).id, { status: 'running' });
      expect(await at(url, { eventSlug: foreign.slug })).toEqual(notLaunchable('There is no such event'));
    });

    it('is applied by check and launch', async () => {
      const { tenant, beaconId: beacon_id, network, add } = await behind();
      const { client } = await tenant.as('member');
      const body = { url: 'http://10.20.0.1/', beacon_id };
      await add('10.20.0.1', 'ip');
      expect((await client.post('/v1/jobs/check', body)).body).toMatchObject({ beacon_id, valid: true });
      network.isConnected = false;
      const checked = await client.post('/v1/jobs/check', body);
      expect(checked.body).toMatchObject({ valid: false, reason: expect.stringContaining('is not connected') });
      const refused = await client.post('/v1/jobs/launch', body);
      expect(refused.status).toBe(422);
      expect(refused.text).toContain('is not connected');
      const absent = { url: body.url, beacon_id: 2_147_483_647 };
      expect((await client.post('/v1/jobs/launch', absent)).text).toContain('There is no such beacon');
    });
  });

  describe('with an event', () => {
    it('requires that the event is running and has the host in its scope', async () => {
      const { tenant, domain } = await withDomain();
      const { client } = await tenant.as('admin');
      const event = await make.event(tenant.id, { status: 'running' });
      const url = `https://www.${domain}/`;
      const options = { eventSlug: event.slug };
      expect(await evaluate(tenant, url, options)).toEqual(notLaunchable('is not in the scope of the event'));
      const [asset] = await query<{ id: number }>('SELECT id FROM assets WHERE value = $1', [domain]);
      await client.post(`/v1/events/${event.slug}/scope/assets/`, { asset_id: asset?.id, in_scope: true });
      const launchable = { launchable: true, eventId: event.id, assetId: asset?.id };
      expect(await evaluate(tenant, url, options)).toMatchObject(launchable);
      expect(await evaluate(tenant, url, { eventId: event.id })).toMatchObject(launchable);

      const www = await make.asset(tenant.id, { value: `www.${domain}` });
      await client.post(`/v1/events/${event.slug}/scope/assets/`, { asset_id: www.id, in_scope: false });
      expect(await evaluate(tenant, url, options)).toEqual(notLaunchable('is not in the scope of the event'));
      expect(await evaluate(tenant, `https://${domain}/`, options)).toMatchObject({ launchable: true });

      await query("UPDATE events SET status = 'paused' WHERE id = $1", [event.id]);
      expect(await evaluate(tenant, `https://${domain}/`, options)).toEqual(
        notLaunchable('The event is paused: it must be running'),
      );
    });

    it('includes the subdomains of a domain in scope unless wildcard is false', async () => {
      const { tenant, domain } = await withDomain();
      const { client } = await tenant.as('admin');
      const event = await make.event(tenant.id, { status: 'running' });
      const path = `/v1/events/${event.slug}/scope/assets/`;
      const [asset] = await query<{ id: number }>('SELECT id FROM assets WHERE value = $1', [domain]);
      const list = async (body: object, id = asset?.id): Promise<void> => {
        await client.delete(`${path}${id}`);
        expect((await client.post(path, { asset_id: id, ...body })).status).toBe(201);
      };
      const hosts = [domain, `deep.sub.${domain}`];
      const tested = async (): Promise<boolean[]> =>
        (await Promise.all(hosts.map((host) => evaluate(tenant, `https://${host}/`, { eventSlug: event.slug })))).map(
          ({ launchable }) => launchable,
        );
      for (const wildcard of [true, null, undefined]) {
        await list({ wildcard });
        expect(await tested()).toEqual([true, true]);
      }
      await list({ wildcard: false });
      expect(await tested()).toEqual([true, false]);
      expect(await evaluate(tenant, `https://deep.sub.${domain}/`, { eventSlug: event.slug })).toEqual(
        notLaunchable('is not in the scope of the event: .* its parent domain with subdomains'),
      );
      // Without the event the organization may test its own asset.
      expect(await evaluate(tenant, `https://deep.sub.${domain}/`)).toMatchObject({ launchable: true });

      await list({ wildcard: true });
      const sub = await make.asset(tenant.id, { value: `sub.${domain}` });
      await list({ in_scope: false, wildcard: false }, sub.id);
      expect(await tested()).toEqual([true, false]);
    });

    it('excludes an out-of-scope URL’s path and everything below it, and nothing else of its host', async () => {
      const { tenant, domain } = await withDomain();
      const { client } = await tenant.as('admin');
      const { slug } = await make.event(tenant.id, { status: 'running' });
      const list = async (value: string, type: string, in_scope: boolean): Promise<void> => {
        const [known] = await query<{ id: number }>('SELECT id FROM assets WHERE organization_id = $1 AND value = $2', [
          tenant.id,
          value,
        ]);
        const { id } = known ?? (await make.asset(tenant.id, { value, type }));
        await client.delete(`/v1/events/${slug}/scope/assets/${id}`);
        expect((await client.post(`/v1/events/${slug}/scope/assets/`, { asset_id: id, in_scope })).status).toBe(201);
      };
      const at = (path: string) => evaluate(tenant, `https://${domain}${path}`, { eventSlug: slug });
      const tested = async (paths: readonly string[]): Promise<boolean[]> =>
        (await Promise.all(paths.map(at))).map(({ launchable }) => launchable);

      await list(domain, 'domain', true);
      await list(`https://${domain}/admin`, 'url', false);
      expect(await tested(['/', '/open', '/administration'])).toEqual([true, true, true]);
      expect(await tested(['/admin', '/admin/users', '/%61dmin/'])).toEqual([false, false, false]);
      expect(await at('/admin/users')).toEqual(
        notLaunchable(
          `https://${domain}/admin/users is not in the scope of the event, which excludes https://${domain}/admin: test something else, or remove`,
        ),
      );
      // Without the event the organization may test its own asset.
      expect(await evaluate(tenant, `https://${domain}/admin`)).toMatchObject({ launchable: true });

      await list(`https://${domain}/admin/open`, 'url', true);
      expect(await tested(['/admin/open/x', '/admin/x', '/'])).toEqual([true, false, true]);
      // The same path with the other scheme is equally specific, and the exclusion wins.
      await list(`http://${domain}/admin/open`, 'url', false);
      expect(await tested(['/admin/open/x', '/'])).toEqual([false, true]);
      await list(domain, 'domain', false);
      expect(await tested(['/', '/open'])).toEqual([false, false]);
      await list(`https://${domain}/open`, 'url', true);
      expect(await tested(['/', '/open', '/open/x'])).toEqual([false, true, true]);
    });

    it('prefers an excluded asset over an equally specific included one', async () => {
      const { tenant, domain } = await withDomain();
      const { client } = await tenant.as('admin');
      const { slug } = await make.event(tenant.id, { status: 'running' });
      const list = (asset_id: number | undefined, in_scope: boolean) =>
        client.post(`/v1/events/${slug}/scope/assets/`, { asset_id, in_scope });
      const [direct] = await query<{ id: number }>('SELECT id FROM assets WHERE value = $1', [domain]);
      await list(direct?.id, true);
      expect(await evaluate(tenant, `https://${domain}/`, { eventSlug: slug })).toMatchObject({ launchable: true });
      const beacon = await make.beacon(tenant.id);
      const behind = await make.asset(tenant.id, { value: domain, beaconId: beacon.id });
      await list(behind.id, false);
      expect(await evaluate(tenant, `https://${domain}/`, { eventSlug: slug })).toEqual(
        notLaunchable(`which excludes ${domain}`),
      );
    });

    it("answers for another organization's event as for one that does not exist", async () => {
      const { tenant, domain } = await withDomain();
      const foreign = await make.event((await make.organization()).id, { status: 'running' });
      const names = [
        { eventSlug: foreign.slug },
        { eventSlug: 'nobodys-event-0a0a0a' },
        { eventId: foreign.id },
        { eventId: 2_147_483_647 },
      ];
      const [first, ...others] = await Promise.all(names.map((name) => evaluate(tenant, `https://${domain}/`, name)));
      expect(first).toEqual(notLaunchable('There is no such event'));
      for (const other of others) expect(other).toEqual(first);
    });
  });

  it("refuses an event of another of the caller's organizations when the target's organization is known", async () => {
    const { tenant, domain } = await withDomain();
    const other = await make.organization();
    const event = await make.event(other.id, { status: 'running' });
    const scope = Scope.organizations([tenant.id, other.id]);
    for (const name of [{ eventSlug: event.slug }, { eventId: event.id }]) {
      expect(await evaluate(tenant, `https://${domain}/`, { scope, organizationId: tenant.id, ...name })).toEqual(
        notLaunchable('There is no such event in this organization'),
      );
    }
  });

  it('requires organization_id where assets of several organizations are equally specific', async () => {
    const { tenant, domain } = await withDomain();
    const other = await make.organization();
    await make.asset(other.id, { value: domain });
    const scope = Scope.organizations([tenant.id, other.id]);
    const url = `https://www.${domain}/`;
    expect(await evaluate(tenant, url, { scope })).toEqual(notLaunchable('name an event or limit the key'));
    expect(await evaluate(tenant, url, { scope, organizationId: tenant.id })).toMatchObject({ launchable: true });
    const { id } = await make.asset(tenant.id, { value: `www.${domain}` });
    expect(await evaluate(tenant, url, { scope })).toMatchObject({ organizationId: tenant.id, assetId: id });
    expect(await evaluate(tenant, `https://${uniqueDomain()}/`, { scope })).toEqual(notLaunchable('No asset covers'));
  });
});
