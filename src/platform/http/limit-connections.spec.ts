import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { Logger } from '@nestjs/common';
import { eventually } from '../../../test/support/eventually';
import { limitConnections } from './limit-connections';

let server: Server;
let refused: number;
let open: Socket[];

beforeEach(async () => {
  refused = 0;
  open = [];
  server = createServer((_request, response) => response.end('here'));
  limitConnections(server, {
    perAddress: 3,
    isExempt: (address) => address === '::ffff:127.0.0.9',
    onRefused: () => (refused += 1),
  });
  await new Promise<void>((resolve) => server.listen(0, '::', resolve));
});
afterEach(async () => {
  jest.restoreAllMocks();
  for (const socket of open) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

/** True if the server answers on a new connection from this address, which stays open; false if it resets it. */
async function isServed(localAddress: string): Promise<boolean> {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', localAddress });
  open.push(socket);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  try {
    await once(socket, 'data');
    return true;
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toMatch(/ECONNRESET|EPIPE/);
    return false;
  }
}

async function served(address: string, connections: number): Promise<number> {
  const all = await Promise.all(Array.from({ length: connections }, () => isServed(address)));
  return all.filter(Boolean).length;
}

it('resets the connections of an address above the limit, and serves other addresses', async () => {
  expect(await served('127.0.0.2', 20)).toBe(3);
  expect(refused).toBe(17);
  expect(await served('127.0.0.3', 3)).toBe(3);
});

it('serves an address again when one of its connections has closed', async () => {
  expect(await served('127.0.0.2', 3)).toBe(3);
  expect(await isServed('127.0.0.2')).toBe(false);
  open[0]?.destroy();
  await eventually(async () => expect(await isServed('127.0.0.2')).toBe(true));
  expect(await isServed('127.0.0.2')).toBe(false);
});

it('does not limit an exempt address', async () => {
  expect(await served('127.0.0.9', 20)).toBe(20);
  expect(refused).toBe(0);
});

it('logs a flood in one line, which says what to do', async () => {
  const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  expect(await served('127.0.0.2', 20)).toBe(3);
  expect(await served('127.0.0.3', 20)).toBe(3);
  expect(warned.mock.calls).toEqual([[expect.stringMatching(/^127\.0\.0\.2 has 3 open.*CONNECTIONS_PER_ADDRESS/)]]);
});
