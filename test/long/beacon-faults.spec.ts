import { setTimeout as delay } from 'node:timers/promises';
import { useApi } from '../support/api';
import { BeaconDeployment } from '../support/beacon-deployment';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { launchJob, waitForJob } from '../support/jobs';
import { describeWithPrivateNetwork, PRIVATE } from '../support/private-network';

const make = new Factories(useApi());
const CUT_MS = 30_000;

describeWithPrivateNetwork('a private network whose connection is cut for 30 seconds', () => {
  let deployment: BeaconDeployment;

  beforeAll(async () => {
    deployment = await BeaconDeployment.start(make);
    await deployment.createAsset('corp.test', 'domain');
    await deployment.serveIntranet('fixed');
  });

  afterAll(() => deployment?.stop());

  async function launchAndCut(): Promise<string> {
    const { client, network, beacon } = deployment;
    const before = network.requestsTo(PRIVATE.site).length;
    const uuid = await launchJob(client, 'http://intranet.corp.test/', { beacon_id: beacon.id });
    await eventually(async () => expect(network.requestsTo(PRIVATE.site).length).toBeGreaterThan(before));
    network.setUplink('down');
    return uuid;
  }

  it('is connected again, and a job that ran meanwhile did not succeed with half of its responses', async () => {
    const uuid = await launchAndCut();
    await delay(CUT_MS);
    deployment.network.setUplink('up');
    const status = await waitForJob(deployment.client, uuid);
    const { body } = await deployment.client.get(`/v1/jobs/${uuid}`);
    // It finished because it ran again as a whole, or it says what happened.
    expect([status, body.job.error]).toEqual(
      status === 'FINISHED' ? ['FINISHED', null] : ['ERROR', expect.stringContaining('beacon')],
    );
    await deployment.untilConnected(true);
    const again = await launchJob(deployment.client, 'http://intranet.corp.test/', { beacon_id: deployment.beacon.id });
    expect(await waitForJob(deployment.client, again)).toBe('FINISHED');
  });

  it('that stays cut ends a job in ERROR, with the reason', async () => {
    const uuid = await launchAndCut();
    expect(await waitForJob(deployment.client, uuid)).toBe('ERROR');
    const { body } = await deployment.client.get(`/v1/jobs/${uuid}`);
    expect(body.job.error).toMatch(/beacon .* (disconnected|not connected)/);
    deployment.network.setUplink('up');
    await deployment.untilConnected(true);
  });
});
