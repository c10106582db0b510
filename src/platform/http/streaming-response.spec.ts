import { once } from 'node:events';
import { type Server, type ServerResponse, createServer } from 'node:http';
import { type AddressInfo, Socket, connect } from 'node:net';
import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { streamResponse } from './streaming-response';
import { SlowReaders } from './slow-readers';
import { acceptUpgrades } from './upgrade';

const servers: Server[] = [];
const clients: Socket[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const PIECE = 'ä'.repeat(200_000);
/** More than fits into the buffers of two sockets. */
const PIECES = 100;

function* answer(): Generator<string, undefined> {
  for (let at = 0; at < PIECES; at++) yield PIECE;
}

/** Connects to a server that streams these pieces, and returns a promise of how the response ended. */
async function asked(
  pieces: AsyncIterator<string, undefined> | Iterator<string, undefined>,
  seconds: number,
  headers = 'Connection: close',
): Promise<{ socket: Socket; ended: Promise<{ isComplete: boolean }> }> {
  let settle: (end: { isComplete: boolean }) => void;
  const ended = new Promise<{ isComplete: boolean }>((resolve) => (settle = resolve));
  const server = createServer((_request, response) => {
    response.once('close', () => settle({ isComplete: response.writableFinished }));
    void Promise.resolve(pieces.next()).then((first) => streamResponse(first, pieces, response));
  });
  const plain = createServer();
  acceptUpgrades(server, plain);
  const slowReaders = new SlowReaders(seconds);
  for (const one of [server, plain]) slowReaders.watch(one);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  clients.push(socket);
  socket.on('error', () => undefined);
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`);
  return { socket, ended };
}

const blockEventLoop = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

describe('streamResponse', () => {
  it('ends for a response that waits behind another one when their connection is gone', async () => {
    const streams: Promise<void>[] = [];
    const server = createServer((_request, response) => {
      const pieces = answer();
      streams.push(streamResponse(pieces.next(), pieces, response));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20));
    await once(socket, 'readable');
    expect(streams).toHaveLength(20);
    socket.destroy();
    await Promise.all(streams);
  });

  it('gives others turns while a client takes everything at once', async () => {
    const fast = new Writable({ highWaterMark: 2 ** 30, write: (_chunk, _encoding, done) => done() });
    function* slowPieces(): Generator<string, undefined> {
      for (let at = 0; at < 5; at++) {
        for (const end = performance.now() + 20; performance.now() < end;);
        yield 'x';
      }
    }
    const pieces = slowPieces();
    let turns = 0;
    const count = (): void => {
      turns += 1;
      if (!fast.writableEnded) setImmediate(count);
    };
    setImmediate(count);
    const response = Object.assign(fast, { req: { socket: new Socket() } }) as unknown as ServerResponse;
    await streamResponse(pieces.next(), pieces, response);
    expect(turns).toBeGreaterThan(3);
  });

  it('sends the whole response to a client that reads', async () => {
    const { socket, ended } = await asked(answer(), 30);
    let bytes = 0;
    socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
    expect(await ended).toEqual({ isComplete: true });
    await once(socket, 'close');
    expect(bytes).toBeGreaterThan(2 * PIECES * 200_000);
  });

  it('aborts the response if the client reads nothing', async () => {
    const { ended } = await asked(answer(), 0.2);
    expect(await ended).toEqual({ isComplete: false });
  });

  it.each(['websocket', 'h2c'])('sends the whole response to a client that asks for %s and reads', async (protocol) => {
    const { socket, ended } = await asked(answer(), 30, `Connection: Upgrade\r\nUpgrade: ${protocol}`);
    socket.resume();
    expect(await ended).toEqual({ isComplete: true });
  });

  it.each(['websocket', 'h2c'])(
    'aborts the response if the client asks for %s, gets an ordinary response, and reads nothing',
    async (protocol) => {
      const { ended } = await asked(answer(), 0.2, `Connection: Upgrade\r\nUpgrade: ${protocol}`);
      expect(await ended).toEqual({ isComplete: false });
    },
  );

  it('aborts the response if the client reads only a little at a time', async () => {
    const { socket, ended } = await asked(answer(), 0.3);
    socket.pause();
    const reading = setInterval(() => socket.read(1_024), 5);
    expect(await ended).toEqual({ isComplete: false });
    clearInterval(reading);
  });

  it('sends the whole response to a slow client above the minimum speed, over several periods', async () => {
    const seconds = 0.5;
    const { socket, ended } = await asked(answer(), seconds);
    const started = performance.now();
    let bytes = 0;
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes % 7 !== 0) return;
      socket.pause();
      setTimeout(() => socket.resume(), 25);
    });
    expect(await ended).toEqual({ isComplete: true });
    expect(performance.now() - started).toBeGreaterThan(1_000 * seconds);
  });

  it('does not abort the response because the process itself was blocked', async () => {
    const { socket, ended } = await asked(answer(), 0.2);
    await delay(100);
    blockEventLoop(500);
    socket.resume();
    expect(await ended).toEqual({ isComplete: true });
  });

  it('does not abort the response if the source is slow', async () => {
    async function* slowly(): AsyncGenerator<string, undefined> {
      for (let at = 0; at < 4; at++) {
        await delay(150);
        yield 'x';
      }
    }
    const { socket, ended } = await asked(slowly(), 0.3);
    socket.resume();
    expect(await ended).toEqual({ isComplete: true });
  });
});
