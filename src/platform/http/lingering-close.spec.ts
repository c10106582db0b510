import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { type LingeringLimits, endUnread, endUnreadSocket } from './lingering-close';

const servers: Server[] = [];
const clients: Socket[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const generous: LingeringLimits = { bytes: 10_000_000, milliseconds: 30_000 };

/** Connects to a server that answers requests at once, and invalid requests on the socket. */
async function connected(limits: Partial<LingeringLimits> = {}): Promise<Socket> {
  const server = createServer((request, response) => {
    response.writeHead(413, { Connection: 'close', 'Content-Length': 6 });
    endUnread(request, response, 'answer', { ...generous, ...limits });
  });
  server.on('clientError', (_error, socket) => {
    if (socket.writable) endUnreadSocket(socket, 'HTTP/1.1 400 Bad Request\r\n\r\nanswer', { ...generous, ...limits });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  clients.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n';

const piece = Buffer.alloc(65_536, 'x');

/** Sends until the connection is closed. */
async function flood(socket: Socket): Promise<number> {
  const closed = new AbortController();
  socket.once('close', () => closed.abort());
  let sent = 0;
  while (!socket.destroyed && sent < 95_000_000) {
    sent += piece.length;
    if (!socket.write(piece)) await once(socket, 'drain', { signal: closed.signal }).catch(() => undefined);
  }
  return sent;
}

/** Also after an error: a client that is still sending gets a reset. */
const closeOf = (socket: Socket): Promise<unknown> => new Promise((resolve) => socket.once('close', resolve));

async function answerOf(socket: Socket): Promise<string> {
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString()));
  await once(socket, 'end');
  return answer;
}

describe.each([
  ['a request', HEAD],
  ['an invalid request', `nonsense\r\n\r\n${'x'.repeat(100_000)}`],
])('after the response to %s', (_name, head) => {
  it('the server closes its half, and the client may still send', async () => {
    const socket = await connected();
    socket.write(head);
    expect(await answerOf(socket)).toMatch(/answer$/);
    for (let turn = 0; turn < 20; turn++) {
      if (!socket.write(piece)) await once(socket, 'drain');
    }
    expect([socket.writable, socket.closed]).toEqual([true, false]);
    socket.destroy();
  });

  it('the connection is closed when the client exceeds the limit of bytes', async () => {
    const socket = await connected({ bytes: 1_000_000 });
    socket.write(head);
    socket.resume();
    // The buffers of the operating system contain some megabytes.
    expect(await flood(socket)).toBeLessThan(60_000_000);
  });

  it('the connection is closed when the client exceeds the time limit', async () => {
    const socket = await connected({ milliseconds: 100 });
    socket.write(head);
    expect(await answerOf(socket)).toMatch(/answer$/);
    const trickle = setInterval(() => socket.write('x'), 10);
    await closeOf(socket);
    clearInterval(trickle);
  });

  it('the connection is closed when the client has nothing more to send', async () => {
    const socket = await connected();
    socket.write(head);
    expect(await answerOf(socket)).toMatch(/answer$/);
    socket.end();
    await closeOf(socket);
  });
});

it('a complete request gets a normal response', async () => {
  const socket = await connected();
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}');
  expect(await answerOf(socket)).toMatch(/answer$/);
});
