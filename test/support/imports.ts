import { type Answer, type Client } from './client';
import { eventually } from './eventually';

const ENDED = ['FINISHED', 'ERROR', 'CANCELED', 'UNDONE'];

export async function whenOver(client: Client, id: number): Promise<Answer['body']> {
  let body: Answer['body'];
  await eventually(async () => {
    ({ body } = await client.get(`/v1/imports/${id}`));
    expect(ENDED).toContain(body.status);
  });
  return body;
}

/** Uploads a file, and returns the import when it has ended. */
export async function imported(
  { client, path }: { readonly client: Client; readonly path: string },
  file: Blob,
  parameters = '',
): Promise<Answer['body']> {
  const answer = await client.post(path + parameters, file);
  if (answer.status !== 202) throw new Error(answer.text);
  expect(answer.headers.get('location')).toBe(`/v1/imports/${answer.body.id}`);
  return whenOver(client, answer.body.id);
}

/** The numbers of rows that are not 0. */
export const counts = (body: Answer['body']): Record<string, number> =>
  Object.fromEntries(Object.entries(body.rows as Record<string, number>).filter(([, count]) => count > 0));

export const rowsOf = async (client: Client, id: number, filter = ''): Promise<Answer['body'][]> =>
  (await client.get(`/v1/imports/${id}/rows${filter}`)).body.rows;
