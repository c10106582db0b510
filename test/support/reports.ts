import type { Client } from './client';
import { eventually } from './eventually';

export interface ReportRecord {
  readonly id: number;
  readonly generation_date: string | null;
  readonly error: string | null;
  readonly notice: string | null;
}

/**
 * Orders a report at a path such as `/v1/jobs/{uuid}/reports/` and waits until it is generated or has failed. Rendering
 * leaves the processors to other processes, and all tests of a run are such processes.
 */
export async function generateReportAt(client: Client, path: string, order: object = {}): Promise<ReportRecord> {
  const ordered = await client.post(path, order);
  if (ordered.status !== 202) throw new Error(ordered.text);
  const read = async (): Promise<ReportRecord> => (await client.get(`/v1/reports/${ordered.body.id}/`)).body;
  await eventually(async () => {
    const { generation_date, error } = await read();
    if (generation_date === null && error === null) throw new Error('the report is still being generated');
  }, 240_000);
  return read();
}

/** Orders a report of an event and waits until it is generated or has failed. */
export const generateReport = (client: Client, eventSlug: string, order?: object): Promise<ReportRecord> =>
  generateReportAt(client, `/v1/events/${eventSlug}/reports/`, order);

/** Generates a report and returns the text of its download. */
export async function downloadReport(
  client: Client,
  eventSlug: string,
  options: object,
  order: object = {},
): Promise<string> {
  const { id } = await generateReport(client, eventSlug, { ...order, options });
  return (await client.get(`/v1/reports/${id}/download`)).text;
}
