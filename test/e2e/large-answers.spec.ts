import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { type RunningApi, startApi, useApi } from '../support/api';
import { basic } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Person, type Tenant } from '../support/factories';

const api = useApi();
const make = new Factories(api);

const html = `<p>${'ä'.repeat(250_000)}</p>`;

interface Reader {
  readonly tenant: Tenant;
  readonly viewer: Person;
  readonly path: string;
}

/** A viewer of an event whose list of findings has ten megabytes. */
async function createReader(): Promise<Reader> {
  const tenant = await make.organization();
  for (let index = 0; index < 20; index++) await make.finding(tenant.id, { md: 'A long text.' });
  await query('UPDATE findings SET html = $1 WHERE organization_id = $2', [html, tenant.id]);
  return { tenant, viewer: await tenant.as('viewer'), path: `/v1/organizations/${tenant.id}/findings/` };
}

let reader: Reader;
beforeAll(async () => {
  reader = await createReader();
});

/** Sends the request and stops reading after the first bytes of the response. Repeats it while a slot of another test is not released yet. */
async function openWithoutReading({ viewer, path }: Reader, { port }: Pick<RunningApi, 'port'> = api): Promise<Socket> {
  let opened: Socket | undefined;
  await eventually(async () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(viewer.credentials)}\r\n\r\n`);
    await once(socket, 'readable');
    opened = socket;
    const status = String(socket.read(12));
    if (status !== 'HTTP/1.1 200') socket.destroy();
    expect(status).toBe('HTTP/1.1 200');
  });
  if (opened === undefined) throw new Error('no connection was opened');
  return opened;
}

it('a response of ten megabytes arrives complete', async () => {
  const answer = await reader.viewer.client.get(reader.path);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.body.findings).toHaveLength(20);
  for (const finding of answer.body.findings) expect(finding.html).toBe(html);
});

it('HEAD on a large response returns only the headers', async () => {
  const answer = await reader.viewer.client.send('HEAD', reader.path);
  expect([answer.status, answer.text]).toEqual([200, '']);
});

it('a response of some hundred kilobytes has a Content-Length', async () => {
  const answer = await reader.viewer.client.get(`${reader.path}?per_page=1`);
  expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(Buffer.byteLength(answer.text))]);
  const head = await reader.viewer.client.send('HEAD', `${reader.path}?per_page=1`);
  expect(head.headers.get('content-length')).toBe(answer.headers.get('content-length'));
});

describe('large responses that clients do not read', () => {
  it('use only the concurrency slots of their own organization', async () => {
    const [other, colleague] = [await createReader(), await reader.tenant.as('owner')];
    const sockets = await Promise.all([openWithoutReading(reader), openWithoutReading(reader)]);
    try {
      for (const { client } of [reader.viewer, colleague]) {
        const refused = await client.get(reader.path);
        expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
        expect(refused.body.description).toContain('per_page');
        expect((await client.get(`${reader.path}?per_page=1`)).status).toBe(200);
      }
      expect((await other.viewer.client.get(other.path)).body.findings).toHaveLength(20);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    await eventually(async () => expect((await reader.viewer.client.get(reader.path)).status).toBe(200));
  });

  it('of many organizations together are limited too', async () => {
    const [one, two, three] = [await createReader(), await createReader(), await createReader()];
    const all = [one, one, two, two, three, three];
    const sockets = await Promise.all(all.map((each) => openWithoutReading(each)));
    try {
      const refused = await reader.viewer.client.get(reader.path);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
      expect((await reader.viewer.client.get(`${reader.path}?per_page=1`)).status).toBe(200);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    await eventually(async () => expect((await reader.viewer.client.get(reader.path)).status).toBe(200));
  });

  it('take one slot of a connection, however many wait behind it', async () => {
    const { viewer, path } = reader;
    const socket = await openWithoutReading(reader);
    try {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(viewer.credentials)}\r\n\r\n`.repeat(5));
      await eventually(async () => expect((await viewer.client.get(path)).status).toBe(200));
    } finally {
      socket.destroy();
    }
  });

  it('of a megabyte are limited for a tenant as well', async () => {
    const tenant = await make.organization();
    await make.finding(tenant.id, { md: 'A long text.' });
    await query('UPDATE findings SET html = $1 WHERE organization_id = $2', ['ä'.repeat(900_000), tenant.id]);
    const { client, credentials } = await tenant.as('viewer');
    const path = `/v1/organizations/${tenant.id}/findings/?per_page=1`;
    const first = await client.get(path);
    const sockets = Array.from({ length: 50 }, () => connect(api.port, '127.0.0.1').on('error', () => undefined));
    // The first ones end in the buffers of the system.
    for (const socket of sockets)
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(credentials)}\r\n\r\n`.repeat(12));
    await eventually(async () => {
      const { status, headers } = await client.get(path);
      expect([status, headers.get('etag'), headers.get('retry-after')]).toEqual([429, null, '1']);
    }, 20_000);
    expect((await reader.viewer.client.get(`${reader.path}?per_page=1`)).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await eventually(async () => expect((await client.get(path)).text).toBe(first.text), 20_000);
  });

  it('are aborted and release their slots, however slowly the client reads', async () => {
    const impatient = await startApi({ SLOW_READER_SECONDS: '1' });
    const [still, trickling] = [
      await openWithoutReading(reader, impatient),
      await openWithoutReading(reader, impatient),
    ];
    const reading = setInterval(() => trickling.read(512), 20);
    const { client } = await new Factories(impatient).member(reader.tenant.id, 'viewer');
    try {
      // Both slots: otherwise one of the two responses could still be sent, and would be complete.
      await eventually(async () => {
        const both = await Promise.all([client.get(reader.path), client.get(reader.path)]);
        expect(both.map(({ status }) => status)).toEqual([200, 200]);
      });
      clearInterval(reading);
      for (const socket of [still, trickling]) {
        let answer = '';
        socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
        if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
        expect(answer.endsWith('0\r\n\r\n')).toBe(false);
      }
    } finally {
      clearInterval(reading);
      for (const socket of [still, trickling]) socket.destroy();
      await impatient.app.close();
    }
  });
});
