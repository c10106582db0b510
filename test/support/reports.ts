import type { Client } from './client';
import { eventually } from './eventually';

export interface PendingReport {
  readonly id: number;
  readonly generation_date: string | null;
  readonly error: string | null;
}

/** Orders a report and waits for a worker to be done with it, either way. */
export async function reportOf(client: Client, eventSlug: string, order: object = {}): Promise<PendingReport> {
  const ordered = await client.post(`/v1/events/${eventSlug}/reports/`, order);
  if (ordered.status !== 202) throw new Error(ordered.text);
  const read = async (): Promise<PendingReport> => (await client.get(`/v1/reports/${ordered.body.id}/`)).body;
  await eventually(async () => {
    const { generation_date, error } = await read();
    if (generation_date === null && error === null) throw new Error('it is still being generated');
  }, 30_000);
  return read();
}

/** The text of a report in a format, or the reason why there is none. */
export async function downloadOf(
  client: Client,
  eventSlug: string,
  options: object,
  order: object = {},
): Promise<string> {
  const { id } = await reportOf(client, eventSlug, { ...order, options });
  return (await client.get(`/v1/reports/${id}/download`)).text;
}
