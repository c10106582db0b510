import { DomainsService } from '../../src/modules/assets';
import { Config } from '../../src/platform/config/load-config';
import { sortedStatuses, repeat } from '../support/answers';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { type DnsReply, useDnsServer } from '../support/dns-server';
import { DomainFactory, challengeOf, recordOf } from '../support/domains';
import { Factories } from '../support/factories';

const dns = useDnsServer();
const api = useApi(dns.settings);
const make = new Factories(api);
const domains = new DomainFactory(make, dns);

describe('the verification result for a DNS answer', () => {
  const padding = (count: number): string[] => repeat(count, 'x'.repeat(250));

  it.each<[string, (record: string, alias: string) => [DnsReply, DnsReply?], boolean, string]>([
    ['the record at its own name', (record) => [{ txt: [[record]] }], true, '_assay-challenge.D has the record.'],
    [
      'the record at the domain itself',
      (record) => [{ txt: [] }, { txt: [['v=spf1 -all'], [record]] }],
      true,
      'D has the record.',
    ],
    [
      'the record, split into strings',
      (record) => [{ txt: [[record.slice(0, 20), record.slice(20)]] }],
      true,
      '_assay-challenge.D has the record.',
    ],
    [
      'the record next to another one',
      (record) => [{ txt: [[recordOf('0'.repeat(32))], [record]] }],
      true,
      '_assay-challenge.D has the record.',
    ],
    [
      'the record behind an alias',
      (record, alias) => (dns.publish(alias, record), [{ cname: alias }]),
      true,
      '_assay-challenge.D has the record.',
    ],
    [
      'the record in an answer too large for a datagram',
      (record) => [{ txt: [...padding(200), record].map((text) => [text]) }],
      true,
      '_assay-challenge.D has the record.',
    ],
    [
      'the record at the domain although the lookup of the other name fails',
      (record) => [{ rcode: 'SERVFAIL' }, { txt: [[record]] }],
      true,
      'D has the record.',
    ],
    [
      'no such name',
      () => [{ rcode: 'NXDOMAIN' }],
      false,
      '_assay-challenge.D has no TXT record. D has no TXT record.',
    ],
    ['no record', () => [{ txt: [] }], false, '_assay-challenge.D has no TXT record. D has no TXT record.'],
    [
      'a wrong token',
      () => [{ txt: [[recordOf('0'.repeat(32))]] }],
      false,
      '_assay-challenge.D has an assay-verification= record, but with another token. D has no TXT record.',
    ],
    [
      'the token alone',
      (record) => [{ txt: [[record.replace(/.*=/, '')]] }],
      false,
      '_assay-challenge.D has 1 TXT record, but no assay-verification= record. D has no TXT record.',
    ],
    [
      'the record split into two records',
      (record) => [{ txt: [[record.slice(0, 30)], [record.slice(30)]] }],
      false,
      '_assay-challenge.D has an assay-verification= record, but with another token. D has no TXT record.',
    ],
    [
      'an alias to nothing',
      (_record, alias) => [{ cname: alias }],
      false,
      '_assay-challenge.D has no TXT record. D has no TXT record.',
    ],
    [
      'a SERVFAIL',
      () => [{ rcode: 'SERVFAIL' }],
      false,
      '_assay-challenge.D could not be looked up: its name servers report a failure. D has no TXT record.',
    ],
    [
      'a REFUSED',
      () => [{ rcode: 'REFUSED' }],
      false,
      '_assay-challenge.D could not be looked up: its name servers refuse to answer. D has no TXT record.',
    ],
    [
      'an unreadable answer',
      () => ['garbage'],
      false,
      '_assay-challenge.D could not be looked up: the answer is not readable. D has no TXT record.',
    ],
    ['no answer', () => ['no-reply'], false, '_assay-challenge.D could not be looked up in time. D has no TXT record.'],
  ])('%s', async (_what, repliesFor, verified, result) => {
    const domain = await domains.add();
    const [challengeReply, domainReply] = repliesFor(domain.record, `alias.${domain.value}`);
    dns.setReply(challengeOf(domain.value), challengeReply);
    if (domainReply !== undefined) dns.setReply(domain.value, domainReply);
    const before = Date.now();
    const answer = await domain.verify();
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ verified, verification_result: result.replaceAll('D ', `${domain.value} `) });
    expect(Date.parse(answer.body.last_checked)).toBeGreaterThanOrEqual(before - 1_000);
    expect(Date.parse(answer.body.last_checked)).toBeLessThanOrEqual(Date.now() + 1_000);
    expect((await domain.read()).body).toEqual(answer.body);
  });

  it('is read over TCP when the answer is too large for UDP', () => {
    expect(dns.tcpQueries).toBeGreaterThan(0);
  });
});

describe('verifying on demand', () => {
  it('writes one audit entry for each lookup, whether the record is found or not', async () => {
    const domain = await domains.add();
    await domain.verify();
    dns.publish(domain.value, domain.record);
    await domain.verify();
    const log = await domain.log('operation=domain.verify');
    expect(log.total).toBe(2);
    expect(log.audit_logs).toMatchObject([
      { status: 'success', resource_id: String(domain.id), metadata: { result: 'found', from: false, to: true } },
      { status: 'success', metadata: { result: 'absent', from: false, to: false } },
    ]);
  });

  it('plans the first observation of assets below it for now, and of no others', async () => {
    const domain = await domains.add();
    const { tenant, value } = domain;
    const own = await make.asset(tenant.id, { value: `https://www.${value}:8443/a`, type: 'url' });
    const observed = await make.asset(tenant.id, { value: `old.${value}` });
    const off = await make.asset(tenant.id, { value: `off.${value}` });
    const other = await make.asset(tenant.id, { value: `not${value}` });
    const foreign = await make.asset((await make.organization()).id, { value: `www.${value}` });
    const all = [own, observed, off, other, foreign].map(({ id }) => id);
    await query(`UPDATE assets SET observation_due = now() + interval '1 day', observe = id <> $2 WHERE id = ANY($1)`, [
      all,
      off.id,
    ]);
    await query('INSERT INTO observed_assets (asset_id, organization_id, observed) VALUES ($1, $2, now())', [
      observed.id,
      tenant.id,
    ]);
    dns.publish(value, domain.record);
    await domain.verify();
    const due = await query<{ id: number }>(
      `SELECT id FROM assets WHERE id = ANY($1) AND observation_due < now() + interval '1 minute'`,
      [all],
    );
    expect(due).toEqual([{ id: own.id }]);
  });

  it('covers the subdomains, only in this organization', async () => {
    const { tenant, value } = await domains.addVerifiedByDns();
    const service = api.app.get(DomainsService);
    expect(await service.isVerifiedFor(tenant.id, value)).toBe(true);
    expect(await service.isVerifiedFor(tenant.id, `a.b.${value}`)).toBe(true);
    expect(await service.isVerifiedFor(tenant.id, `not${value}`)).toBe(false);
    expect(await service.isVerifiedFor(tenant.id, 'example')).toBe(false);
    expect(await service.isVerifiedFor((await make.organization()).id, value)).toBe(false);
    expect(await service.isVerifiedFor((await domains.add()).tenant.id, value)).toBe(false);
  });

  it('uses no database connection while it waits for the DNS', async () => {
    const moreThanPooled = api.app.get(Config).DATABASE_POOL_SIZE + 2;
    const owned = await Promise.all(repeat(moreThanPooled, null).map(() => domains.add()));
    const holds = owned.map(({ value }) => dns.hold(challengeOf(value)));
    const answers = owned.map((domain) => domain.verify());
    await Promise.all(holds.map(({ received }) => received));
    for (const domain of owned) expect((await domain.read()).body.last_checked).toBeNull();
    for (const dnsHold of holds) dnsHold.release();
    expect(sortedStatuses(await Promise.all(answers))).toEqual(repeat(moreThanPooled, 200));
  });

  it('does not restore a domain that was deleted during the lookup', async () => {
    const { value, record, verify, client, path, id } = await domains.add();
    dns.publish(challengeOf(value), record);
    const dnsHold = dns.hold(challengeOf(value));
    const answer = verify();
    await dnsHold.received;
    expect((await client.delete(path)).status).toBe(200);
    dnsHold.release();
    expect((await answer).status).toBe(404);
    expect(await query('SELECT 1 FROM domains WHERE id = $1', [id])).toEqual([]);
  });
});
