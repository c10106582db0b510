import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../src/engine/testing/real-server';
import type { Client } from './client';
import { eventually } from './eventually';
import type { Factories, Tenant } from './factories';
import { type Gateway, startGateway } from './nginx-gateway';
import { OUTSIDE, PRIVATE, PrivateNetwork } from './private-network';
import { launchProcess, type RunningProcess } from './processes';

const settings = {
  HOST: '127.0.0.1',
  PORTAL_PORT: 'off',
  LOG_LEVEL: 'warn',
  ENGINE_PROBE_SPREAD_MS: '20',
  ENGINE_REQUESTS_PER_SECOND: '1000',
  WORK_SWEEP_SECONDS: '0.2',
};

/** A beacon with a real agent in a private network, nginx, two API processes and two workers. */
export class BeaconDeployment {
  readonly network = PrivateNetwork.create();
  readonly apis: RunningProcess[] = [];
  private readonly workers: RunningProcess[] = [];
  private gateway: Gateway | undefined;

  private constructor(
    readonly tenant: Tenant,
    readonly client: Client,
    readonly beacon: { readonly id: number; readonly token: string },
  ) {}

  static async start(make: Factories): Promise<BeaconDeployment> {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const beacon = await make.beacon(tenant.id, { allowed_cidrs: ['10.77.0.0/24'] });
    const deployment = new BeaconDeployment(tenant, client, beacon);
    await deployment.start();
    return deployment;
  }

  async stop(): Promise<void> {
    const processes = [...this.apis, ...this.workers];
    for (const running of processes) running.kill('SIGKILL');
    await Promise.all(processes.map(({ exited }) => exited));
    await this.gateway?.stop();
    await this.network.remove();
  }

  async startAgent(): Promise<void> {
    const { folder, serviceAddress } = this.network;
    const file = join(folder, 'token');
    writeFileSync(file, this.beacon.token, { mode: 0o600 });
    const url = `http://${serviceAddress}:${this.gateway?.port}`;
    const options = ['--url', url, '--beacon-id', String(this.beacon.id), '--token-file', file, '--insecure-http'];
    const agent = [process.execPath, join(folder, 'assay-beacon.cjs')];
    await this.network.start('agents', 'agent', [...agent, ...options], {});
    await this.untilConnected(true);
  }

  untilConnected(connected: boolean): Promise<void> {
    return eventually(async () => {
      const { body } = await this.client.get(`/v1/organizations/${this.tenant.id}/beacons/${this.beacon.id}`);
      expect(body.connected).toBe(connected);
    });
  }

  /** The id of an asset of the beacon. */
  async createAsset(value: string, type: string): Promise<number> {
    const place = { organization_id: this.tenant.id, beacon_id: this.beacon.id };
    const { status, text, body } = await this.client.post('/v1/assets/', {
      ...place,
      asset_value: value,
      asset_type: type,
    });
    if (status !== 201) throw new Error(text);
    return body.id;
  }

  /** The site of the intranet, with a file of secrets in its root or without. */
  async serveIntranet(state: 'vulnerable' | 'fixed'): Promise<void> {
    const folder = join(this.network.folder, 'www');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Intranet</title><p>Welcome</p>');
    if (state === 'vulnerable') writeFileSync(join(folder, '.env'), 'DB_PASSWORD=hunter2\nAPP_KEY=base64:c2VjcmV0\n');
    else rmSync(join(folder, '.env'), { force: true });
    await this.network.serveSite(PRIVATE.site, '');
  }

  private async start(): Promise<void> {
    const { network, client, tenant, beacon } = this;
    execFileSync(process.execPath, ['bin/build-beacon.mjs', '--out', join(network.folder, 'assay-beacon.cjs')]);
    const ports = [await freePort(), await freePort()];
    for (const port of ports)
      await launchProcess('api', { ...settings, PORT: String(port) }, (running) => void this.apis.push(running));
    await Promise.all(
      [1, 2].map(() => launchProcess('worker', settings, (running) => void this.workers.push(running))),
    );
    this.gateway = await startGateway(
      ports,
      'proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection "upgrade";',
      '0.0.0.0',
    );
    const path = `/v1/organizations/${tenant.id}/beacons/${beacon.id}`;
    expect((await client.patch(path, { dns_server: PRIVATE.dns })).status).toBe(200);
    await network.serveNames({ 'intranet.corp.test': PRIVATE.site, 'elsewhere.corp.test': OUTSIDE });
    await network.serveSite(OUTSIDE, `location / { return 200 'outside'; }`);
    await this.startAgent();
  }
}
