import { DomainsService } from '../../src/modules/assets';
import { UnitOfWork } from '../../src/platform/audit/unit-of-work';
import { everything } from '../../src/platform/api/scope';
import { WorkRegistry } from '../../src/platform/work/work-registry';
import { sortedStatuses, repeat } from '../support/answers';
import { useApi, useWorker } from '../support/api';
import { query } from '../support/database';
import { useDnsServer } from '../support/dns-server';
import { DomainFactory, type TestDomain, challengeOf, makeDue } from '../support/domains';
import { eventually } from '../support/eventually';
import { Factories, uniqueDomain } from '../support/factories';

const dns = useDnsServer();
const api = useApi(dns.settings);
useWorker(dns.settings);
const make = new Factories(api);
const domains = new DomainFactory(make, dns);

describe('background lookups of a domain', () => {
  it('begin after a minute, and verify a domain whose record is found', async () => {
    const domain = await domains.add();
    const [planned] = await query<{ minutes: number }>(
      'SELECT extract(epoch FROM next_lookup - created)::float / 60 AS minutes FROM domains WHERE id = $1',
      [domain.id],
    );
    expect(planned?.minutes).toBeCloseTo(1, 1);
    dns.publish(domain.value, domain.record);
    await makeDue(domain.id);
    await eventually(async () => expect((await domain.read()).body.verified).toBe(true));
    const log = await domain.log('operation=domain.lookup');
    expect(log.total).toBe(1);
    expect(log.audit_logs[0]).toMatchObject({ actor_type: 'system', status: 'success', metadata: { to: true } });
    const [row] = await query<{ days: number }>(
      'SELECT extract(epoch FROM next_lookup - last_lookup)::float / 86400 AS days FROM domains WHERE id = $1',
      [domain.id],
    );
    expect(row?.days).toBe(7);
  });

  it('wait longer after each failure, and start over when a user asks for a lookup', async () => {
    const domain = await domains.add();
    const pauseAfter = async (lookups: number): Promise<number | undefined> => {
      await eventually(async () =>
        expect(await query('SELECT 1 FROM domains WHERE id = $1 AND lookups = $2', [domain.id, lookups])).toHaveLength(
          1,
        ),
      );
      const [row] = await query<{ minutes: number }>(
        'SELECT extract(epoch FROM next_lookup - last_lookup)::float / 60 AS minutes FROM domains WHERE id = $1',
        [domain.id],
      );
      return row?.minutes;
    };
    const pauses: (number | undefined)[] = [];
    for (const lookups of [1, 2, 3]) {
      await makeDue(domain.id);
      pauses.push(await pauseAfter(lookups));
    }
    await domain.verify();
    expect([...pauses, await pauseAfter(1)]).toEqual([1, 2, 5, 1]);
  });

  it('revoke a verified domain after three answers without the record, a day apart', async () => {
    const domain = await domains.addVerifiedByDns();
    dns.removeReply(challengeOf(domain.value));
    for (const misses of [1, 2]) {
      await domain.verify();
      await domain.verify();
      const [row] = await query('SELECT verified, misses FROM domains WHERE id = $1', [domain.id]);
      expect(row).toEqual({ verified: true, misses });
      await query("UPDATE domains SET last_miss = last_miss - interval '25 hours' WHERE id = $1", [domain.id]);
    }
    await makeDue(domain.id);
    await eventually(async () => expect((await domain.read()).body.verified).toBe(false));
    expect((await domain.log('operation=domain.lookup')).audit_logs).toMatchObject([
      { metadata: { result: 'absent', from: true, to: false } },
    ]);
  });

  it('never revoke a verified domain because its name servers do not answer', async () => {
    const domain = await domains.addVerifiedByDns();
    dns.setReply(challengeOf(domain.value), { rcode: 'SERVFAIL' });
    for (let day = 0; day < 4; day++) {
      expect((await domain.verify()).body).toMatchObject({ verified: true });
      await query("UPDATE domains SET last_miss = last_miss - interval '25 hours' WHERE id = $1", [domain.id]);
    }
  });

  it('report that a lookup failed, and try again later', async () => {
    const { id, tenant, read } = await domains.add();
    const claim = {
      id: '1',
      reference: String(id),
      organizationId: tenant.id,
      integratorId: null,
      assetId: null,
      eventId: null,
      attempt: 5,
      failures: 4,
    };
    const handler = api.app.get(WorkRegistry).handlerOf('domain.lookup');
    const { audit, apply } = handler.abandon({ ...claim, kind: 'domain.lookup' }, 'the worker was lost');
    await api.app.get(UnitOfWork).run(audit, everything('a test'), apply);
    expect((await read()).body.verification_result).toBe(
      'The lookup failed with an internal error. It is repeated automatically.',
    );
    expect(
      await query('SELECT 1 FROM domains WHERE id = $1 AND lookups = 1 AND next_lookup > now()', [id]),
    ).toHaveLength(1);
  });

  it('ignore domains of a deleted organization', async () => {
    const { client, integratorId } = await make.integrator();
    const tenant = await make.organization({ integratorId });
    const dead = await domains.add(undefined, { tenant });
    await client.delete(`/v1/organizations/${tenant.id}/`);
    const alive = await domains.add();
    dns.publish(dead.value, dead.record);
    dns.publish(alive.value, alive.record);
    await makeDue(dead.id, alive.id);
    await eventually(async () => expect((await alive.read()).body.verified).toBe(true));
    expect(await query('SELECT 1 FROM domains WHERE id = $1 AND verified', [dead.id])).toEqual([]);
  });
});

describe('a domain for which two organizations publish a record', () => {
  const held = 'The record exists, but so does another verification record of this domain';

  it('stays with the first while its record exists, for a reason that does not name the other', async () => {
    const first = await domains.addVerifiedByDns();
    const second = await domains.add(first.value);
    dns.publish(second.value, second.record);
    const { body } = await second.verify();
    expect(body).toMatchObject({ verified: false, verification_result: expect.stringContaining(held) });
    expect(JSON.stringify(body)).not.toContain(first.tenant.name);
    expect((await first.read()).body.verified).toBe(true);
    expect((await first.log('operation=domain.unverify')).total).toBe(0);
  });

  it('moves to the second when the first one’s record is gone, and both can read why', async () => {
    const first = await domains.addVerifiedByDns();
    const second = await domains.add(first.value);
    dns.publish(challengeOf(first.value), second.record);
    expect((await second.verify()).body.verified).toBe(true);
    const lost = await first.read();
    expect(lost.body).toMatchObject({
      verified: false,
      verification_result: 'The record is gone, and the domain was verified with another verification record.',
    });
    const log = await first.log('operation=domain.unverify');
    expect(log.audit_logs).toMatchObject([{ actor_type: 'system', resource_id: String(first.id) }]);
    expect(JSON.stringify([log, lost.body])).not.toContain(second.tenant.name);
    expect((await second.log('status=success')).total).toBe(2);
    expect(await api.app.get(DomainsService).isVerifiedFor(first.tenant.id, first.value)).toBe(false);
  });

  it('stays with the first while the lookup of its record fails', async () => {
    const first = await domains.addVerifiedByDns();
    const second = await domains.add(first.value);
    dns.setReply(challengeOf(first.value), { rcode: 'SERVFAIL' });
    dns.publish(first.value, second.record);
    expect((await second.verify()).body).toMatchObject({ verified: false });
    expect((await first.read()).body.verified).toBe(true);
  });

  it('is owned together with its subdomains, and not available below another owner’s domain', async () => {
    const parent = await domains.addVerifiedByDns();
    const below = await domains.add(`shop.${parent.value}`);
    dns.publish(below.value, below.record);
    expect((await below.verify()).body).toMatchObject({ verified: false });
    const child = await domains.addVerifiedByDns(`shop.${uniqueDomain()}`);
    const above = await domains.add(child.value.replace('shop.', ''));
    dns.publish(above.value, above.record);
    expect((await above.verify()).body).toMatchObject({ verified: false });
    const beside = await domains.add(child.value.replace('shop.', 'blog.'));
    dns.publish(beside.value, beside.record);
    expect((await beside.verify()).body).toMatchObject({ verified: true });
    dns.removeReply(challengeOf(child.value));
    dns.removeReply(beside.value);
    expect((await above.verify()).body).toMatchObject({ verified: true });
    expect((await child.read()).body.verified).toBe(false);
    expect((await beside.read()).body.verified).toBe(false);
  });

  it('is lost only by owners whose record is gone', async () => {
    const gone = await domains.addVerifiedByDns(`gone.${uniqueDomain()}`);
    const stays = await domains.addVerifiedByDns(gone.value.replace('gone.', 'stays.'));
    const above = await domains.add(gone.value.replace('gone.', ''));
    dns.removeReply(challengeOf(gone.value));
    dns.publish(above.value, above.record);
    expect((await above.verify()).body.verified).toBe(false);
    expect((await gone.read()).body.verified).toBe(false);
    expect((await stays.read()).body.verified).toBe(true);
  });

  it('does not stop the same organization from verifying its subdomain', async () => {
    const parent = await domains.addVerifiedByDns();
    const below = await domains.add(`shop.${parent.value}`, { tenant: parent.tenant });
    dns.publish(below.value, below.record);
    expect((await below.verify()).body.verified).toBe(true);
    expect((await parent.read()).body.verified).toBe(true);
  });

  it('does not stay with a deleted organization', async () => {
    const { client, integratorId } = await make.integrator();
    const tenant = await make.organization({ integratorId });
    const first = await domains.add(undefined, { tenant, verified: true });
    await client.delete(`/v1/organizations/${tenant.id}/`);
    dns.publish(challengeOf(first.value), first.record);
    const second = await domains.add(first.value);
    dns.publish(second.value, second.record);
    expect((await second.verify()).body.verified).toBe(true);
  });

  it('is given to exactly one of twenty simultaneous claims', async () => {
    const value = uniqueDomain();
    const all: TestDomain[] = [];
    for (let index = 0; index < 20; index++) all.push(await domains.add(value));
    dns.publish(value, ...all.map(({ record }) => record));
    const dnsHold = dns.hold(value, 20);
    const requests = all.map(({ verify }) => verify());
    await dnsHold.received;
    dnsHold.release();
    const answers = await Promise.all(requests);
    expect(sortedStatuses(answers)).toEqual(repeat(20, 200));
    expect(answers.filter(({ body }) => body.verified)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.verification_result.startsWith(held))).toHaveLength(19);
    expect(await query('SELECT 1 FROM domains WHERE value = $1 AND verified', [value])).toHaveLength(1);
  });

  it('is given to one of two organizations that prove the domain and its subdomain at the same time', async () => {
    const above = await domains.add();
    const below = await domains.add(`shop.${above.value}`);
    const both = [above, below];
    for (const { value, record } of both) dns.publish(value, record);
    const holds = both.map(({ value }) => dns.hold(value));
    const requests = both.map(({ verify }) => verify());
    await Promise.all(holds.map(({ received }) => received));
    for (const dnsHold of holds) dnsHold.release();
    const answers = await Promise.all(requests);
    expect(answers.filter(({ body }) => body.verified)).toHaveLength(1);
  });
});
