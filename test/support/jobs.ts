import type { Client } from './client';
import { eventually } from './eventually';

/** Launches a job and returns its UUID. */
export async function launchJob(client: Client, url: string, more: object = {}): Promise<string> {
  const answer = await client.post('/v1/jobs/launch', { url, ...more });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.uuid as string;
}

/** Waits until a job has ended and returns its status. */
export async function waitForJob(client: Client, uuid: string): Promise<string> {
  let status = '';
  await eventually(async () => {
    status = (await client.get(`/v1/jobs/${uuid}/status`)).body.status;
    expect(['FINISHED', 'ERROR', 'CANCELED']).toContain(status);
  }, 90_000);
  return status;
}

/** Runs a job to its end and returns its UUID; throws unless it finished. */
export async function runJob(client: Client, url: string, more?: object): Promise<string> {
  const uuid = await launchJob(client, url, more);
  const status = await waitForJob(client, uuid);
  if (status !== 'FINISHED') throw new Error((await client.get(`/v1/jobs/${uuid}`)).text);
  return uuid;
}
