import type { Client } from './client';
import { eventually } from './eventually';

/** Launches a job; answers its uuid. */
export async function launched(client: Client, url: string, more: object = {}): Promise<string> {
  const answer = await client.post('/v1/jobs/launch', { url, ...more });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.uuid as string;
}

/** Waits until a job has ended, as a pipeline does; answers its status. */
export async function ended(client: Client, uuid: string): Promise<string> {
  let status = '';
  await eventually(async () => {
    status = (await client.get(`/v1/jobs/${uuid}/status`)).body.status;
    expect(['FINISHED', 'ERROR', 'CANCELED']).toContain(status);
  }, 90_000);
  return status;
}

/** Runs a job to its end; answers its uuid. */
export async function ran(client: Client, url: string, more?: object): Promise<string> {
  const uuid = await launched(client, url, more);
  const status = await ended(client, uuid);
  if (status !== 'FINISHED') throw new Error((await client.get(`/v1/jobs/${uuid}`)).text);
  return uuid;
}
