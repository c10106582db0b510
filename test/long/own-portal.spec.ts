import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificate } from '../../src/engine/testing/certificate';
import { NameServer } from '../../src/engine/testing/name-server';
import { AUTHORITY, trustAuthority } from '../../src/engine/testing/test-authority';
import { useApi, useWorker } from '../support/api';
import { Factories, type Tenant, uniqueDomain } from '../support/factories';
import { type DocumentedGateway, installedGateways, startDocumentedGateway } from '../support/gateways';
import { launchJob, waitForJob } from '../support/jobs';
import { usePortal } from '../support/portal';

const DOMAIN = uniqueDomain();

/** What is tested: the API and the portal behind nginx, as docs/deployment.md configures them. */
const tested = useApi();
const portal = usePortal(tested, { PORTAL_URL: `https://${DOMAIN}`, TRUSTED_PROXIES: '127.0.0.1' });

let folder: string;
let gateway: DocumentedGateway;
let names: NameServer;

/** With TLS, which the other tests of the gateways leave out. */
const withTls = (text: string): string =>
  `ssl_certificate ${folder}/cert;\nssl_certificate_key ${folder}/key;\n${text.replace(/(listen 127\.0\.0\.1:\d+);/g, '$1 ssl;')}`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-own-portal-'));
  const own = certificate({ names: [DOMAIN], issuer: AUTHORITY });
  writeFileSync(join(folder, 'cert'), own.cert);
  writeFileSync(join(folder, 'key'), own.key, { mode: 0o600 });
  const [api, pages] = [new URL(tested.url).host, new URL(portal.url).host];
  gateway = await startDocumentedGateway('nginx', { api: [api, api], portal: [pages, pages] }, withTls);
  names = await NameServer.start({
    [DOMAIN]: {
      SOA: [`ns.${DOMAIN} hostmaster.${DOMAIN} 1`],
      A: ['127.0.0.1'],
      TXT: ['v=spf1 -all'],
      CAA: ['0 issue "ca.example"'],
    },
    [`_dmarc.${DOMAIN}`]: { TXT: ['v=DMARC1; p=reject'] },
  });
});

afterAll(async () => {
  await gateway.stop();
  await names.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Who tests. */
const engine = {
  get EGRESS_ALLOW() {
    return [gateway.url, gateway.portalUrl].map((url) => new URL(url).host).join(',');
  },
  get DNS_SERVERS() {
    return names.address;
  },
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '10',
};
const api = useApi(engine);
useWorker(engine);
trustAuthority();

const make = new Factories(api);
let tenant: Tenant;

beforeAll(async () => {
  tenant = await make.organization();
  await make.domain(tenant.id, { value: DOMAIN, verified: true });
});

(installedGateways.includes('nginx') ? describe : describe.skip)('a job on an installation of Assay', () => {
  it.each([
    ['nothing on the portal', () => `${gateway.portalUrl}/sign-in`, []],
    // Anyone may read it: docs/threat-model.md.
    [
      'that the API describes itself',
      () => `${gateway.url}/docs/`,
      ['OpenAPI (Swagger) description of an API is public'],
    ],
  ])('finds %s', async (_what, urlOf, titles) => {
    const url = urlOf().replace('http://127.0.0.1', `https://${DOMAIN}`);
    const { client } = await tenant.as('admin');
    const uuid = await launchJob(client, url);
    await waitForJob(client, uuid);
    const { job } = (await client.get(`/v1/jobs/${uuid}`)).body;
    expect([job.status, job.error]).toEqual(['FINISHED', null]);
    expect(job.findings.map(({ title }: { title: string }) => title)).toEqual(titles);
  });
});
