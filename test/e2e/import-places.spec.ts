import { certificate } from '../../src/engine/testing/certificate';
import { TargetServer } from '../../src/engine/testing/target-server';
import { burpFile } from '../../src/scanner-files/testing/example-files';
import { SCANNER_FORMATS, type ScannerFormat } from '../../src/modules/imports';
import { useApi, useWorker } from '../support/api';
import type { Answer, Client } from '../support/client';
import { Factories, type Tenant } from '../support/factories';
import { counts, imported, rowsOf } from '../support/imports';
import { runJob } from '../support/jobs';

let demo: TargetServer;
let shop: TargetServer;
const settings = {
  get EGRESS_ALLOW() {
    return `127.0.0.1:${demo.port},127.0.0.1:${shop.port}`;
  },
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '10',
};
beforeAll(async () => {
  [demo, shop] = [await TargetServer.start(certificate()), await TargetServer.start(certificate())];
  for (const server of [demo, shop]) server.site = { pages: { '/': { body: '<h1>Welcome</h1>' } } };
});
afterAll(() => Promise.all([demo.stop(), shop.stop()]));

const api = useApi(settings);
useWorker(settings);
const make = new Factories(api);

const urlOf = ({ port }: TargetServer): string => `http://127.0.0.1:${port}/`;
const blob = (content: string): Blob => new Blob([content], { type: 'application/octet-stream' });
const csv = (...urls: readonly string[]): Blob =>
  blob(`title,severity,url\n${urls.map((url, number) => `Weakness ${number},high,${url}\n`).join('')}`);

/** One weakness at a port of 127.0.0.1, in the shape of each format. */
const fileOf: Readonly<Record<ScannerFormat, (port: number) => string>> = {
  'nuclei-jsonl': (port) =>
    `${JSON.stringify({ 'template-id': 'x-1', info: { name: 'X', severity: 'high' }, host: '127.0.0.1', 'matched-at': `http://127.0.0.1:${port}/x` })}\n`,
  sarif: (port) =>
    JSON.stringify({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'T' } },
          results: [
            {
              ruleId: 'X1',
              level: 'error',
              message: { text: 'X' },
              locations: [{ physicalLocation: { artifactLocation: { uri: `http://127.0.0.1:${port}/x` } } }],
            },
          ],
        },
      ],
    }),
  'zap-json': (port) =>
    JSON.stringify({
      '@programName': 'ZAP',
      '@version': '2.16.1',
      site: [
        {
          '@name': `http://127.0.0.1:${port}`,
          '@host': '127.0.0.1',
          '@port': String(port),
          alerts: [
            {
              pluginid: '9',
              name: 'X',
              riskcode: '3',
              desc: '',
              instances: [{ uri: `http://127.0.0.1:${port}/x`, method: 'GET' }],
            },
          ],
        },
      ],
    }),
  'zap-xml': (port) =>
    `<?xml version="1.0"?><OWASPZAPReport programName="ZAP" version="2.16.1"><site name="http://127.0.0.1:${port}" host="127.0.0.1" port="${port}"><alerts><alertitem><pluginid>9</pluginid><name>X</name><riskcode>3</riskcode><desc></desc><instances><instance><uri>http://127.0.0.1:${port}/x</uri></instance></instances></alertitem></alerts></site></OWASPZAPReport>`,
  'burp-xml': (port) =>
    burpFile([
      { type: '9', name: 'X', severity: 'High', host: `<host ip="127.0.0.1">http://127.0.0.1:${port}</host>` },
    ]),
  'nessus-xml': (port) =>
    `<?xml version="1.0" ?><NessusClientData_v2><Report name="R"><ReportHost name="127.0.0.1"><HostProperties></HostProperties><ReportItem port="${port}" severity="3" pluginID="9" pluginName="X"><description>D</description></ReportItem></ReportHost></Report></NessusClientData_v2>`,
  'nessus-csv': (port) =>
    `Plugin ID,CVE,CVSS,Risk,Host,Protocol,Port,Name,Synopsis,Description,Solution,See Also,Plugin Output\n9,,,High,127.0.0.1,tcp,${port},X,S,D,,,\n`,
  'nmap-xml': (port) =>
    `<?xml version="1.0"?><nmaprun scanner="nmap"><host><address addr="127.0.0.1" addrtype="ipv4"/><ports><port protocol="tcp" portid="${port}"><script id="x-1" output="Risk factor: High"><table key="X"><elem key="title">X</elem><elem key="state">VULNERABLE</elem></table></script></port></ports></host></nmaprun>`,
  'testssl-json': (port) =>
    JSON.stringify([{ id: 'X', ip: '/127.0.0.1', port: String(port), severity: 'HIGH', finding: 'X' }]),
  'defectdojo-json': (port) =>
    JSON.stringify({ findings: [{ title: 'X', severity: 'High', endpoints: [`http://127.0.0.1:${port}/x`] }] }),
  'defectdojo-csv': (port) =>
    `Date,Title,CweId,Url,Severity,Description,Mitigation,Impact,References,Active,Verified,FalsePositive,Duplicate,IsMitigated\n2026-01-31,X,0,http://127.0.0.1:${port}/x,High,D,,,,TRUE,TRUE,FALSE,FALSE,FALSE\n`,
  'gitlab-dast-json': (port) =>
    JSON.stringify({
      version: '15.0.7',
      scan: { type: 'dast', status: 'success', scanner: { id: 'e', name: 'E', version: '1' }, scanned_resources: [] },
      vulnerabilities: [
        {
          name: 'X',
          severity: 'High',
          identifiers: [{ type: 'e', name: 'E', value: '9' }],
          location: { hostname: `http://127.0.0.1:${port}`, method: 'GET', path: '/x' },
        },
      ],
    }),
  csv: (port) => `title,severity,url\nX,high,http://127.0.0.1:${port}/x\n`,
};

interface Fixture {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly path: string;
}

async function fixture(...assets: readonly string[]): Promise<Fixture> {
  const tenant = await make.organization();
  const { client } = await tenant.as('member');
  for (const value of assets)
    await make.asset(tenant.id, { value, type: value.includes('//') ? 'url' : value.includes('/') ? 'cidr' : 'ip' });
  return { tenant, client, path: `/v1/organizations/${tenant.id}/imports` };
}

const gate = async (client: Client, url: string): Promise<boolean> => {
  const uuid = await runJob(client, url, { checks: ['exposed-git'] });
  return (await client.get(`/v1/jobs/${uuid}/success?severity=high`)).body.success;
};

const assetsOf = async ({ client }: Fixture, { id }: Answer['body'], filter = ''): Promise<unknown[]> =>
  (await rowsOf(client, id, filter)).map(({ result, asset_value: value, reason }) =>
    result === 'refused' ? [result, reason] : [result, value],
  );

describe('two applications on one address', () => {
  it.each(SCANNER_FORMATS)('each have their own findings and their own gate after an import of %s', async (format) => {
    const [one, other] = [urlOf(demo), urlOf(shop)];
    const both = [
      { port: demo.port, own: one, foreign: other },
      { port: shop.port, own: other, foreign: one },
    ];
    await Promise.all(
      both.map(async ({ port, own, foreign }) => {
        const at = await fixture(one, other);
        const body = await imported(at, blob(fileOf[format](port)), `?format=${format}`);
        expect(await assetsOf(at, body)).toEqual([['new', own]]);
        expect(await Promise.all([gate(at.client, own), gate(at.client, foreign)])).toEqual([false, true]);
      }),
    );
  });

  it('do not list findings of each other as missing from a file', async () => {
    const [one, other] = [urlOf(demo), urlOf(shop)];
    const at = await fixture(one, other, '127.0.0.0/24');
    await imported(at, csv(`${one}a`, `${one}b`, `${other}c`, 'http://127.0.0.1:1/d'));
    const file = blob(`title,severity,url\nWeakness 0,high,${one}a\nWeakness 9,high,http://127.0.0.1:2/e\n`);
    for (const parameters of ['?dry_run=true', '']) {
      const body = await imported(at, file, parameters);
      expect((await rowsOf(at.client, body.id, '?result=missing')).map(({ title }) => title)).toEqual(['Weakness 1']);
    }
  });
});

describe('rows that match several assets', () => {
  const unknown = 'http://127.0.0.1:1/x';
  const between = 'http://127.0.0.1:2/app3/';

  const places = () => fixture(urlOf(demo), 'http://127.0.0.1:2/app1/', 'http://127.0.0.1:2/app2/');

  it('are refused with the reason, and others are imported', async () => {
    const at = await places();
    const body = await imported(at, csv(unknown, between, `${urlOf(demo)}x`));
    expect(await assetsOf(at, body)).toEqual([
      [
        'refused',
        `Only other ports of the host are assets, and not http://127.0.0.1:1/: ${urlOf(demo)}, http://127.0.0.1:2/app1/, http://127.0.0.1:2/app2/. Add http://127.0.0.1:1/ as an asset, or import the file again and name its asset with the parameter asset, or with unknown_assets=add.`,
      ],
      [
        'refused',
        expect.stringContaining(
          'Several assets are equally specific for http://127.0.0.1:2/app3/: http://127.0.0.1:2/app1/, http://127.0.0.1:2/app2/.',
        ),
      ],
      ['new', urlOf(demo)],
    ]);
  });

  it('belong to the asset that the upload names, if it is on their host', async () => {
    const at = await places();
    await make.asset(at.tenant.id, { value: 'http://127.0.0.2:7/', type: 'url' });
    const asset = encodeURIComponent('http://127.0.0.1:2/app2/');
    const body = await imported(at, csv(unknown, between, 'http://127.0.0.2:8/', `${urlOf(demo)}x`), `?asset=${asset}`);
    expect(await assetsOf(at, body)).toEqual([
      ['new', 'http://127.0.0.1:2/app2/'],
      ['new', 'http://127.0.0.1:2/app2/'],
      ['refused', expect.stringContaining('http://127.0.0.1:2/app2/ is not on this host.')],
      ['new', urlOf(demo)],
    ]);
  });

  it('get assets of their own if the upload adds assets, in both runs', async () => {
    const at = await places();
    // Two batches.
    const urls = [unknown, between, ...Array.from({ length: 150 }, (_, number) => `${unknown}/${number}`)];
    for (const parameters of ['?unknown_assets=add&dry_run=true', '?unknown_assets=add']) {
      const body = await imported(at, csv(...urls), parameters);
      expect(counts(body)).toEqual({ new: 152 });
      const values = (await rowsOf(at.client, body.id, '?per_page=100')).map(({ asset_value: value }) => value);
      expect([...new Set(values)]).toEqual(['http://127.0.0.1:1/', 'http://127.0.0.1:2/']);
    }
  });
});
