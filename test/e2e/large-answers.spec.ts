import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Person } from '../support/factories';

const api = useApi();
const make = new Factories(api);

const html = `<p>${'ä'.repeat(250_000)}</p>`;
let organizationId: number;
let viewer: Person;

beforeAll(async () => {
  const tenant = await make.organization();
  organizationId = tenant.id;
  viewer = await tenant.as('viewer');
  for (let index = 0; index < 20; index++) await make.finding(tenant.id, { md: 'A long text.' });
  await query('UPDATE findings SET html = $1 WHERE organization_id = $2', [html, organizationId]);
});

const path = (): string => `/v1/organizations/${organizationId}/findings/`;

/** Asks, and takes nothing of the answer once it has begun. */
async function reader(): Promise<Socket> {
  const socket = connect(api.port, '127.0.0.1');
  const { accessKey, secret } = viewer.credentials;
  const authorization = Buffer.from(`${accessKey}:${secret}`).toString('base64');
  socket.on('error', () => undefined);
  socket.write(`GET ${path()} HTTP/1.1\r\nHost: x\r\nAuthorization: Basic ${authorization}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

it('a page of ten megabytes comes whole', async () => {
  const answer = await viewer.client.get(path());
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.body.findings).toHaveLength(20);
  for (const finding of answer.body.findings) expect(finding.html).toBe(html);
});

it('of its head the headers are enough', async () => {
  const answer = await viewer.client.send('HEAD', path());
  expect([answer.status, answer.text]).toEqual([200, '']);
});

it('of large answers that nobody takes some are under way at a time; small ones, and those after them, come', async () => {
  const readers = await Promise.all([reader(), reader(), reader(), reader()]);
  try {
    const refused = await viewer.client.get(path());
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await viewer.client.get(`${path()}?per_page=1`)).status).toBe(200);
  } finally {
    for (const socket of readers) socket.destroy();
  }
  await eventually(async () => expect((await viewer.client.get(path())).status).toBe(200));
});
