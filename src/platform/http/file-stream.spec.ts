import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApiResponse } from '../api/api-request';
import { FileStream } from './file-stream';
import { LargeResponseLimit } from './large-response-limit';

const limit = new LargeResponseLimit();
const errors: unknown[] = [];
let texts: () => AsyncIterator<string, unknown>;
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((_request, response) => {
    const file = new FileStream('findings-1.csv', 'text/csv; charset=utf-8', texts());
    file.send(response as ApiResponse, limit).catch((error: unknown) => {
      errors.push([error, response.headersSent]);
      response.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.closeAllConnections());
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => errors.splice(0));

describe('a file that is made while it is read', () => {
  it('arrives complete, with its name and type', async () => {
    texts = async function* () {
      yield 'id,title\n';
      yield '1,ä\n';
    };
    const response = await fetch(url);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename=findings-1.csv');
    expect(await response.text()).toBe('id,title\n1,ä\n');
    expect(await (await fetch(url, { method: 'HEAD' })).text()).toBe('');
    expect(errors).toEqual([]);
  });

  it('takes the place of a large response until it is read', async () => {
    let end: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => (end = resolve));
    texts = async function* () {
      yield 'a';
      await waiting;
    };
    const open = await Promise.all([fetch(url), fetch(url)]);
    await fetch(url).catch(() => undefined);
    expect(errors).toEqual([[expect.objectContaining({ kind: 'too_many_requests' }), false]]);
    end();
    for (const response of open) expect(await response.text()).toBe('a');
    expect((await fetch(url)).status).toBe(200);
  });

  it('fails before its headers if its first text does, and gives its place back', async () => {
    const failure = new Error('The database is unavailable.');
    texts = () => ({ next: () => Promise.reject(failure) });
    for (let time = 0; time < 3; time += 1) await fetch(url).catch(() => undefined);
    expect(errors).toEqual(Array.from({ length: 3 }, () => [failure, false]));
  });
});
