import { burpFile, nessusFile } from '../../src/scanner-files/testing/example-files';
import { useApi } from '../support/api';
import type { Answer, Client } from '../support/client';
import { query } from '../support/database';
import { Factories, type Tenant } from '../support/factories';
import { counts, imported, rowsOf } from '../support/imports';
import { useWorkerProcess } from '../support/processes';

const api = useApi();
useWorkerProcess();
const make = new Factories(api);

interface Fixture {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly host: string;
  readonly path: string;
}

async function fixture(): Promise<Fixture> {
  const tenant = await make.organization();
  const { client } = await tenant.as('member');
  const { value: host } = await make.asset(tenant.id);
  return { tenant, client, host, path: `/v1/organizations/${tenant.id}/imports` };
}

const findingsOf = async ({ client, tenant }: Pick<Fixture, 'client' | 'tenant'>): Promise<Answer['body'][]> =>
  (await client.get(`/v1/organizations/${tenant.id}/findings/?per_page=100`)).body.findings;

const file = (content: string): Blob => new Blob([content], { type: 'application/octet-stream' });

const burp = (host: string, issues: readonly { type?: string; name: string; severity?: string }[]): Blob =>
  file(burpFile(issues.map((issue) => ({ type: '134217728', host: `<host>https://${host}</host>`, ...issue }))));

describe('a file of Burp with issues of extensions', () => {
  it('gives a finding for each name, and creates nothing when it is imported again', async () => {
    const at = await fixture();
    const issues = burp(at.host, [
      { name: 'Software detected', severity: 'Information' },
      { name: 'Cache misconfiguration', severity: 'High' },
    ]);
    expect(counts(await imported(at, issues, '?dry_run=true'))).toEqual({ new: 2 });
    expect(counts(await imported(at, issues))).toEqual({ new: 2 });
    expect(counts(await imported(at, issues))).toEqual({ unchanged: 2 });
    const severities = (await findingsOf(at)).map(({ severity }) => severity);
    expect(severities.toSorted()).toEqual(['high', 'info']);
  });

  it('keeps the finding of the same title that an earlier version recorded under the type alone', async () => {
    const at = await fixture();
    // What earlier versions recorded has the type as its rule, and the title of the first issue.
    const mapping = { scanner: 'burp', columns: { rule_id: 'type', title: 'name', severity: 'severity', url: 'url' } };
    const earlier = file(`type,name,severity,url\n134217728,Software detected,info,https://${at.host}/\n`);
    await imported(at, earlier, `?csv_mapping=${encodeURIComponent(JSON.stringify(mapping))}`);
    const [before] = await findingsOf(at);
    const issues = burp(at.host, [{ name: 'Cache misconfiguration' }, { name: 'Software detected' }]);
    for (const [parameters, results] of [
      ['?dry_run=true', ['new', 'seen_again']],
      ['', ['new', 'seen_again']],
      ['', ['unchanged', 'unchanged']],
    ] as const) {
      const rows = await rowsOf(at.client, (await imported(at, issues, parameters)).id);
      expect(rows.map(({ result }) => result)).toEqual(results);
      expect(rows[1].finding_id).toBe(before.id);
    }
    expect(await findingsOf(at)).toHaveLength(2);
  });
});

describe('a result that several findings have', () => {
  it('is a sighting of the oldest of them', async () => {
    const at = await fixture();
    const { value: other } = await make.asset(at.tenant.id);
    await imported(at, burp(at.host, [{ name: 'Open' }]));
    await imported(at, burp(other, [{ name: 'Open' }]));
    const [oldest, newer] = (await findingsOf(at)).toSorted((one, two) => one.id - two.id);
    // As if both were recorded of one place, under two assets.
    await query('UPDATE findings SET fingerprint = (SELECT fingerprint FROM findings WHERE id = $1) WHERE id = $2', [
      oldest.id,
      newer.id,
    ]);
    const rows = await rowsOf(at.client, (await imported(at, burp(at.host, [{ name: 'Open' }]))).id);
    expect(rows.map(({ finding_id }) => finding_id)).toEqual([oldest.id]);
  });
});

describe('rows of a file with the same finding', () => {
  it('raise its severity to the highest of them, also from a later batch, and say so in both runs', async () => {
    const at = await fixture();
    const event = await make.event(at.tenant.id, { status: 'running' });
    const type = '5245360';
    const others = Array.from({ length: 120 }, (_, number) => ({ name: `Other ${number}` }));
    const issues = burp(at.host, [
      { type, name: 'Browser cross-site scripting filter disabled', severity: 'Information' },
      { type, name: 'Filter disabled', severity: 'Low' },
      ...others,
      { type, name: 'Filter disabled', severity: 'High' },
      { type, name: 'Browser cross-site scripting filter disabled', severity: 'High' },
    ]);
    const inEvent = { ...at, path: `/v1/events/${event.slug}/imports` };
    const reasons = [
      [2, 'Same finding as row 1 in line 3 (another title, another severity): its severity is raised to low.'],
      [123, 'Same finding as row 1 in line 3 (another title, another severity): its severity is raised to high.'],
    ];
    for (const parameters of ['?dry_run=true', '']) {
      const body = await imported(inEvent, issues, parameters);
      expect(counts(body)).toEqual({ new: 121, unchanged: 3 });
      const rows = await rowsOf(at.client, body.id, '?result=unchanged');
      expect(rows.flatMap(({ number, reason }) => (reason === null ? [] : [[number, reason]]))).toEqual(reasons);
    }
    const title = 'Browser cross-site scripting filter disabled';
    const high = async () => (await at.client.get(`/v1/events/${event.slug}/findings/?severity=high`)).body.findings;
    const expected = [expect.objectContaining({ title, severity: 'high', due_date: expect.any(String) })];
    expect(await high()).toEqual(expected);
    const totals = 'SELECT high, low FROM asset_totals WHERE organization_id = $1';
    expect(await query(totals, [at.tenant.id])).toEqual([{ high: 1, low: 120 }]);
    expect(counts(await imported(inEvent, issues))).toEqual({ unchanged: 124 });
    expect(await high()).toEqual(expected);
  });

  it('leave the severity of a finding that existed before', async () => {
    const at = await fixture();
    await imported(at, burp(at.host, [{ type: '1', name: 'A', severity: 'Low' }]));
    const body = await imported(
      at,
      burp(at.host, [
        { type: '1', name: 'A', severity: 'Low' },
        { type: '1', name: 'B', severity: 'High' },
      ]),
    );
    const [, row] = await rowsOf(at.client, body.id);
    expect(row.reason).toBe('Same finding as row 1 in line 3 (another title, another severity).');
    expect(await findingsOf(at)).toEqual([expect.objectContaining({ title: 'A', severity: 'low' })]);
  });
});

it('a table names the columns that nothing was read from, in both runs', async () => {
  const at = await fixture();
  const table = file(`Name,Risk,URL,CVE,Ticket,Team\nOld library,High,https://${at.host}/,CVE-2024-1234,T-1,Web\n`);
  for (const parameters of ['?dry_run=true', '']) {
    const body = await imported(at, table, parameters);
    expect(body).toMatchObject({ format: 'csv', ignored_columns: ['Ticket', 'Team'] });
    expect(body.summary).toContain('; 2 columns not read: Ticket, Team.');
  }
  expect(await findingsOf(at)).toEqual([expect.objectContaining({ title: 'Old library', cve: 'CVE-2024-1234' })]);
});

describe('results on hosts with names of one label', () => {
  const recorded = async (id: number) =>
    (
      await query(
        `SELECT md, check_id AS check, check_definition ->> 'location' AS location FROM findings WHERE id = $1`,
        [id],
      )
    )[0];

  const hosts = [
    { name: 'qa3app09', address: '203.0.113.7' },
    { name: 'qa3db', address: '203.0.113.8' },
    { name: 'lost', address: '198.51.100.9' },
    { name: 'unknown' },
  ];

  it('are at the addresses that the file has, and keep the names', async () => {
    const at = await fixture();
    await make.asset(at.tenant.id, { value: '203.0.113.0/24', type: 'cidr' });
    const scan = file(nessusFile(hosts));
    for (const [parameters, expected] of [
      ['?dry_run=true', { new: 2, refused: 2 }],
      ['', { new: 2, refused: 2 }],
      ['', { unchanged: 2, refused: 2 }],
    ] as const)
      expect(counts(await imported(at, scan, parameters))).toEqual(expected);
    const added = await imported(at, scan, '?unknown_assets=add');
    const rows = await rowsOf(at.client, added.id);
    expect(rows.map(({ result, asset_value: value }) => [result, value])).toEqual([
      ['unchanged', '203.0.113.0/24'],
      ['unchanged', '203.0.113.0/24'],
      ['new', '198.51.100.9'],
      ['refused', 'unknown'],
    ]);
    expect(await recorded(rows[0].finding_id)).toEqual({
      md: expect.stringContaining('qa3app09:443\n    203.0.113.7'),
      check: 'weak-tls-protocol',
      location: 'https://203.0.113.7/',
    });
    const [sighting] = (await at.client.get(`/v1/findings/${rows[0].finding_id}/sightings`)).body.sightings;
    expect(sighting).toMatchObject({ location: 'qa3app09:443' });
    expect(sighting.identity).toContain('Place: 203.0.113.7:443');
  });

  it('stay on an asset that covers the name', async () => {
    const at = await fixture();
    await make.asset(at.tenant.id, { value: '203.0.113.0/24', type: 'cidr' });
    await make.asset(at.tenant.id, { value: 'https://qa3app09/', type: 'url' });
    const [row] = await rowsOf(at.client, (await imported(at, file(nessusFile(hosts)))).id);
    expect(row).toMatchObject({ result: 'new', asset_value: 'https://qa3app09/' });
  });

  it('with URLs are at the address, and are not tested there under another name', async () => {
    const at = await fixture();
    await make.asset(at.tenant.id, { value: '203.0.113.7', type: 'ip' });
    const host = '<host ip="203.0.113.7">http://bwa</host>';
    const body = await imported(at, file(burpFile([{ type: '6291712', name: 'Directory listing', host }])));
    const [row] = await rowsOf(at.client, body.id);
    expect(row).toMatchObject({ result: 'new', asset_value: '203.0.113.7' });
    const md = expect.stringContaining('http://bwa/\n    203.0.113.7');
    expect(await recorded(row.finding_id)).toEqual({ md, check: null, location: null });
  });
});

describe('the CVEs of a finding', () => {
  const nessusRows = (host: string, cves: readonly string[]) =>
    file(
      `Plugin ID,CVE,Risk,Host,Port,Name,Synopsis\n${cves.map((cve) => `1,${cve},Medium,${host},443,Old kernel,s\n`).join('')}`,
    );

  it('of a table with a row for each of them are those of all its rows, also of later batches', async () => {
    const at = await fixture();
    const cves = Array.from({ length: 130 }, (_, number) => `CVE-2024-${10_000 + number}`);
    const rows = nessusRows(at.host, cves);
    expect(counts(await imported(at, rows))).toEqual({ new: 1, unchanged: 129 });
    const [finding] = await findingsOf(at);
    expect([finding.cve, ...finding.other_cves]).toEqual(cves);
    expect(counts(await imported(at, rows))).toEqual({ unchanged: 130 });
    expect((await findingsOf(at))[0]).toEqual(finding);
  });

  it('are 200 at most, and the text says how many more the file names', async () => {
    const at = await fixture();
    const ids = Array.from({ length: 230 }, (_, number) => `CVE-2024-${20_000 + number}`);
    const result = { title: 'Old', severity: 'Low', endpoints: [`https://${at.host}/`], vulnerability_ids: ids };
    await imported(at, file(JSON.stringify({ findings: [result] })));
    const [finding] = await findingsOf(at);
    expect([finding.cve, ...finding.other_cves]).toEqual(ids.slice(0, 200));
    expect(finding.md).toContain('CVE-2024-20199, and 30 more');
  });
});

describe('a file of a private network', () => {
  const scan = file(nessusFile([{ name: '10.20.0.7' }]));

  async function networks() {
    const at = await fixture();
    const [one, other] = [
      await make.beacon(at.tenant.id, { name: 'one' }),
      await make.beacon(at.tenant.id, { name: 'other' }),
    ];
    for (const { id: beaconId } of [one, other])
      await make.asset(at.tenant.id, { value: '10.20.0.0/24', type: 'cidr', beaconId });
    return { at, one, other };
  }

  const beaconsOf = async ({ tenant }: Fixture) =>
    (
      await query<{ id: number | null }>(
        'SELECT f.beacon_id AS id FROM findings f WHERE f.organization_id = $1 ORDER BY f.id',
        [tenant.id],
      )
    ).map(({ id }) => id);

  it('finds its assets behind the beacon that is named, and adds others there', async () => {
    const { at, one, other } = await networks();
    for (const { id } of [other, one]) {
      const body = await imported(at, scan, `?beacon_id=${id}`);
      expect(body).toMatchObject({ beacon_id: id, rows: { new: 1 } });
    }
    expect(await beaconsOf(at)).toEqual([other.id, one.id]);
    const third = await make.beacon(at.tenant.id, { name: 'third' });
    const [row] = await rowsOf(at.client, (await imported(at, scan, `?beacon_id=${third.id}`)).id);
    expect(row.reason).toContain(`10.20.0.7 is not an asset of the organization behind the beacon ${third.id}`);
    for (const run of ['&dry_run=true', ''])
      expect(counts(await imported(at, scan, `?beacon_id=${third.id}&unknown_assets=add${run}`))).toEqual({ new: 1 });
    expect(
      await query('SELECT beacon_id FROM assets WHERE organization_id = $1 AND value = $2', [
        at.tenant.id,
        '10.20.0.7',
      ]),
    ).toEqual([{ beacon_id: third.id }]);
  });

  it('may name the beacon and the asset of each row in a table', async () => {
    const { at, one, other } = await networks();
    await make.asset(at.tenant.id, { value: 'shop.example.net', type: 'domain' });
    const table = file(
      `title,severity,host,beacon,asset,source\nA,low,10.20.0.7,one,,\nA,high,10.20.0.7,${other.id},,\nB,low,,,shop.example.net,a.ts:1\nC,low,10.20.0.7,elsewhere,,\nD,low,,,not an asset,a.ts:1\n`,
    );
    for (const parameters of ['?dry_run=true', '']) {
      const body = await imported(at, table, parameters);
      const rows = await rowsOf(at.client, body.id);
      expect(rows.map(({ result, asset_value: value, reason }) => [result, value, reason])).toEqual([
        ['new', '10.20.0.0/24', null],
        ['new', '10.20.0.0/24', null],
        ['new', 'shop.example.net', null],
        [
          'refused',
          '10.20.0.7',
          'The organization has no beacon "elsewhere". Name one of its beacons by its name or id.',
        ],
        ['refused', null, 'Its asset "not an asset" is no domain, http or https URL, IP address or CIDR.'],
      ]);
    }
    expect(await beaconsOf(at)).toEqual([one.id, other.id, null]);
    expect((await findingsOf(at)).map(({ severity }) => severity)).toEqual(['low', 'high', 'low']);
  });

  it('finds neither beacons nor assets of another organization, as if they did not exist', async () => {
    const { at } = await networks();
    const foreign = await networks();
    const { value: foreignAsset } = await make.asset(foreign.at.tenant.id);
    const unknown = await at.client.post(`${at.path}?beacon_id=2147483647`, scan);
    const named = await at.client.post(`${at.path}?beacon_id=${foreign.one.id}`, scan);
    expect([unknown.status, named.status]).toEqual([404, 404]);
    expect(named.body).toEqual(unknown.body);
    expect(await query('SELECT 1 FROM imports WHERE organization_id = $1', [at.tenant.id])).toEqual([]);
    const reasonsFor = async (beacon: string | number, asset: string) => {
      const table = file(`title,severity,host,beacon,asset\nA,low,10.20.0.7,${beacon},\nB,low,,,${asset}\n`);
      const rows = await rowsOf(at.client, (await imported(at, table)).id);
      return rows.map(({ reason }) => reason.replaceAll(asset, 'ASSET').replaceAll(`"${beacon}"`, 'BEACON'));
    };
    expect(await reasonsFor(foreign.one.id, foreignAsset)).toEqual(await reasonsFor(2147483647, 'www.unknown.example'));
    expect(await findingsOf(at)).toEqual([]);
  });
});
