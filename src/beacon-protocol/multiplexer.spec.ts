import { createHash, randomBytes } from 'node:crypto';
import { once, setMaxListeners } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { encodeFrame, encodeJson, FRAME, type FrameType } from './frame';
import type { Endpoint } from './endpoint';
import { InboundLimits } from './inbound-limits';
import { Multiplexer, type Services } from './multiplexer';
import { type RelayedStream, WINDOW_BYTES } from './relayed-stream';
import { receiveFromSocket, socketChannel } from './socket-channel';
import { StreamFailure } from './stream-failure';

const signal = new AbortController().signal;
setMaxListeners(0, signal);
const toClose: { close(): unknown }[] = [];

afterEach(() => {
  for (const one of toClose.splice(0)) one.close();
});

async function listen(
  onConnection: (socket: Socket) => void,
  allowHalfOpen = false,
): Promise<Endpoint & { server: Server }> {
  const server = createServer({ allowHalfOpen }, (socket) => {
    socket.on('error', () => {});
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  toClose.push(server);
  return { server, address: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

const dialling: Services = {
  connect: ({ address, port }, given) =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: address, port, allowHalfOpen: true, signal: given });
      socket.once('connect', () => resolve(socket));
      socket.once('error', () => reject(new StreamFailure('refused', 'the connection was refused')));
    }),
  resolve: (host) => Promise.resolve([`10.0.0.${host.length}`]),
};

/** A service and an agent over a real socket, and the bare socket of the agent's side. */
async function pair(services: Services = dialling, maxStreams?: number, limits?: InboundLimits) {
  const sockets: Socket[] = [];
  const { server, address, port } = await listen((socket) => sockets.push(socket));
  const near = connect({ host: address, port });
  await once(near, 'connect');
  while (sockets.length === 0) await new Promise(setImmediate);
  const [far] = sockets as [Socket];
  const controls: unknown[] = [];
  const service = new Multiplexer(socketChannel(near), { maxStreams, limits });
  const agent = new Multiplexer(socketChannel(far), {
    services,
    maxStreams,
    onControl: (message) => controls.push(message),
  });
  receiveFromSocket(near, service);
  receiveFromSocket(far, agent);
  toClose.push({ close: () => [near, far].forEach((socket) => socket.destroy()) }, server);
  return { service, agent, near, far, controls };
}

const end = (stream: RelayedStream): Promise<unknown> => once(stream, 'close');

describe('the multiplexer', () => {
  it('carries bytes unchanged in both directions and ends as the target ends', async () => {
    const bytes = randomBytes(5_000_000);
    const target = await listen((socket) => void socket.pipe(socket), true);
    const { service, agent } = await pair();
    const stream = await service.open(target, signal);
    const hash = createHash('sha256');
    stream.on('data', (chunk: Buffer) => hash.update(chunk));
    stream.end(bytes);
    await end(stream);
    expect(hash.digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect([stream.bytesRead, stream.bytesWritten]).toEqual([bytes.length, bytes.length]);
    await eventually(() => agent.streamCount === 0 && service.streamCount === 0);
  });

  it('carries fast transfers over all streams, and refused connections, within its limits of one second', async () => {
    const target = await listen((socket) => void socket.pipe(socket), true);
    const closed = await listen(() => {});
    closed.server.close();
    const { service } = await pair(dialling, 65, new InboundLimits({ now: () => 0 }));
    const bytes = randomBytes(500_000);
    const transfer = async (): Promise<boolean> => {
      const stream = await service.open(target, signal);
      stream.end(bytes);
      return bytes.equals(await buffer(stream));
    };
    const transfers = Promise.all(Array.from({ length: 64 }, transfer));
    for (let at = 0; at < 500; at += 1)
      await expect(service.open(closed, signal)).rejects.toMatchObject({ code: 'refused' });
    expect(await transfers).toEqual(Array(64).fill(true));
  });

  it('stops a target that sends more than the reader reads, and serves the other streams', async () => {
    let written = 0;
    const flood = await listen((socket) => {
      const chunk = Buffer.alloc(65_536);
      const more = (): void => {
        while (socket.write(chunk)) written += chunk.length;
        written += chunk.length;
        socket.once('drain', more);
      };
      more();
    });
    const quick = await listen((socket) => socket.end('quick'));
    const { service } = await pair();
    const slow = await service.open(flood, signal);
    let before = -1;
    while (written !== before) {
      before = written;
      for (let at = 0; at < 10; at += 1) expect(await text(await service.open(quick, signal))).toBe('quick');
    }
    // What is not read yet is bounded by the window; the rest waits in the buffers of the operating system.
    expect(slow.bytesRead).toBeLessThanOrEqual(WINDOW_BYTES);
    slow.destroy();
  });

  it('distinguishes a reset of the target from its end', async () => {
    const target = new PassThrough();
    const { service } = await pair({ ...dialling, connect: () => Promise.resolve(target) });
    const stream = await service.open({ address: '10.0.0.1', port: 80 }, signal);
    target.write('half of it');
    await once(stream, 'readable');
    target.destroy(new Error('read ECONNRESET'));
    await expect(text(stream)).rejects.toMatchObject({ code: 'ECONNRESET', message: 'read ECONNRESET' });
  });

  it('resets a stream whose connection disappears', async () => {
    const target = await listen((socket) => void socket.write('half of it'));
    const { service, far } = await pair();
    const stream = await service.open(target, signal);
    await once(stream, 'readable');
    far.end();
    far.destroy();
    await expect(text(stream)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(service.closed.reason).toMatchObject({ code: 'lost' });
    await expect(service.open(target, signal)).rejects.toMatchObject({ code: 'lost' });
  });

  it('resolves names and reports failures by their codes', async () => {
    const closed = await listen(() => {});
    closed.server.close();
    const { service } = await pair();
    expect(await service.resolve('example', signal)).toEqual(['10.0.0.7']);
    await expect(service.open(closed, signal)).rejects.toMatchObject({
      code: 'refused',
      message: 'the connection was refused',
    });
  });

  it('abandons a connection attempt on both sides', async () => {
    let given: AbortSignal | undefined;
    const waiting: Services = {
      ...dialling,
      connect: (_endpoint, abort) =>
        new Promise((_resolve, reject) => {
          given = abort;
          abort.addEventListener('abort', () => reject(abort.reason as Error));
        }),
    };
    const { service, agent } = await pair(waiting);
    const attempt = new AbortController();
    const opened = service.open({ address: '10.0.0.1', port: 80 }, attempt.signal);
    await eventually(() => given !== undefined);
    attempt.abort(new Error('given up'));
    await expect(opened).rejects.toThrow('given up');
    await eventually(() => given?.aborted === true && agent.streamCount === 0 && service.streamCount === 0);
    // The connection is still good.
    expect(await service.resolve('a', signal)).toEqual(['10.0.0.1']);
  });

  it('destroys a connection that succeeds after it was abandoned', async () => {
    const sockets: Socket[] = [];
    const target = await listen((socket) => sockets.push(socket));
    let connectNow: (() => void) | undefined;
    const late: Services = {
      ...dialling,
      connect: async (endpoint) => {
        await new Promise<void>((go) => (connectNow = go));
        return dialling.connect(endpoint, signal);
      },
    };
    const { service, agent } = await pair(late);
    const attempt = new AbortController();
    const opened = service.open(target, attempt.signal);
    await eventually(() => connectNow !== undefined);
    attempt.abort(new Error('given up'));
    await expect(opened).rejects.toThrow('given up');
    connectNow?.();
    await eventually(() => sockets[0]?.closed === true && agent.streamCount === 0 && service.streamCount === 0);
  });

  it('limits the number of streams on either side', async () => {
    const target = await listen(() => {});
    const { service } = await pair(dialling, 2);
    await service.open(target, signal);
    await service.open(target, signal);
    await expect(service.open(target, signal)).rejects.toThrow('more than 2 connections');
  });

  it('ends the streams that are no longer allowed', async () => {
    const target = await listen((socket) => void socket.write('hello'));
    const { service, agent } = await pair();
    const stream = await service.open(target, signal);
    agent.resetStreams('the networks of the beacon were changed');
    await expect(text(stream)).rejects.toThrow('the networks of the beacon were changed');
    await eventually(() => agent.streamCount === 0);
  });

  it('passes control messages on', async () => {
    const { service, controls } = await pair();
    await service.sendControl({ type: 'config', version: 3 });
    await eventually(() => controls.length === 1);
    expect(controls).toEqual([{ type: 'config', version: 3 }]);
  });

  const open = (address: unknown, port: unknown): Buffer => encodeFrame(FRAME.open, 1, encodeJson({ address, port }));

  it.each<[string, (data: (id: number, bytes: number) => Buffer) => Buffer[], string]>([
    ['data beyond the window', (data) => Array.from({ length: 17 }, () => data(1, 16_384)), 'exceeded its window'],
    ['data for a stream that never was', (data) => [data(9, 1)], 'no such stream'],
    ['an unknown frame', () => [encodeFrame(77 as FrameType, 1)], 'no frame of type 77'],
    ['an answer without a question', () => [encodeFrame(FRAME.opened, 5)], 'belongs to no question'],
    ['a request to connect', () => [open('10.0.0.1', 80)], 'does not open connections'],
    ['a message that is not JSON', () => [encodeFrame(FRAME.control, 0, Buffer.from('{'))], 'not JSON'],
    ['a window that overflows', () => [encodeFrame(FRAME.window, 1, Buffer.alloc(4, 0xff))], 'window is too large'],
    ['a frame without a header', () => [Buffer.from([1, 2])], 'too short'],
    ['an empty piece of data', (data) => [data(1, 0)], 'no data'],
    ['an empty window', () => [encodeFrame(FRAME.window, 1, Buffer.alloc(4))], 'window is empty'],
    [
      'small frames without a pause',
      () => Array.from({ length: 20_001 }, () => encodeFrame(FRAME.window, 1, Buffer.from([0, 0, 0, 1]))),
      'too many small frames',
    ],
    [
      'control messages without a pause',
      () => Array.from({ length: 11 }, () => encodeFrame(FRAME.control, 0, Buffer.from('{}'))),
      'more than 10 control messages in a second',
    ],
    [
      'a long control message after the first one',
      () => ['{}', '{"a":1'.padEnd(5_000)].map((json) => encodeFrame(FRAME.control, 0, Buffer.from(json))),
      'longer than 4096 bytes',
    ],
    ['data after the end', (data) => [encodeFrame(FRAME.end, 1), data(1, 1)], 'after the end'],
  ])('closes the connection of an agent that sends %s', async (_name, frames, reason) => {
    const target = await listen(() => {});
    const { service, far } = await pair();
    const stream = await service.open(target, signal);
    stream.pause();
    const channel = socketChannel(far);
    // At once: a slow machine would make the pauses that the limits allow.
    const sent = frames((id, bytes) => encodeFrame(FRAME.data, id, Buffer.alloc(bytes)));
    await Promise.all(sent.map((frame) => channel.send(frame).catch(() => {})));
    await eventually(() => service.closed.aborted);
    expect((service.closed.reason as Error).message).toContain(reason);
  });

  it('resets a stream of which too many small pieces are unread, and keeps the connection', async () => {
    const target = await listen(() => {});
    const { service, far } = await pair();
    const stream = await service.open(target, signal);
    const channel = socketChannel(far);
    for (let at = 0; at < 5_000; at += 1) await channel.send(encodeFrame(FRAME.data, 1, Buffer.alloc(1)));
    await eventually(() => stream.destroyed);
    expect(stream.errored?.message).toContain('too many pieces');
    expect(await service.resolve('still', signal)).toEqual(['10.0.0.5']);
  });

  it('keeps the connection when a target floods a stream that ends at once', async () => {
    const flood = await listen((socket) => void socket.write(Buffer.alloc(1_000_000)));
    const { service } = await pair();
    for (let at = 0; at < 5; at += 1) (await service.open(flood, signal)).destroy();
    expect(await service.resolve('still', signal)).toEqual(['10.0.0.5']);
    expect(service.closed.aborted).toBe(false);
  });

  it('resets a stream whose target was gone before it was carried', async () => {
    const target = new PassThrough().on('error', () => {});
    target.destroy(new Error('read ECONNRESET'));
    const { service, agent } = await pair({ ...dialling, connect: () => Promise.resolve(target) });
    const stream = await service.open({ address: '10.0.0.1', port: 80 }, signal);
    await expect(text(stream)).rejects.toMatchObject({ code: 'ECONNRESET' });
    await eventually(() => agent.streamCount === 0);
  });

  it('ends a stream that is abandoned while the answer that it is connected is on its way', async () => {
    const target = new PassThrough();
    let answered = false;
    const send = (): Promise<void> => {
      answered = true;
      return new Promise(() => {});
    };
    const agent = new Multiplexer(
      { send, close: () => {} },
      { services: { ...dialling, connect: () => Promise.resolve(target) } },
    );
    agent.receive(encodeFrame(FRAME.open, 1, encodeJson({ address: '10.0.0.1', port: 80 })));
    await eventually(() => answered);
    agent.receive(encodeFrame(FRAME.reset, 1));
    await eventually(() => target.destroyed && agent.streamCount === 0);
  });

  it('closes the connection, and reports the fault, when this side fails', async () => {
    const errors: unknown[] = [];
    const multiplexer = new Multiplexer(
      { send: () => Promise.resolve(), close: () => {} },
      {
        onControl: () => {
          throw new Error('a fault');
        },
        onError: (error) => errors.push(error),
      },
    );
    multiplexer.receive(encodeFrame(FRAME.control, 0, Buffer.from('{}')));
    expect(errors).toEqual([new Error('a fault')]);
    expect(multiplexer.closed.aborted).toBe(true);
  });

  it('accepts the data that was on its way when a stream ended, and no more', async () => {
    const target = await listen(() => {});
    const { service, far } = await pair();
    const stream = await service.open(target, signal);
    stream.destroy();
    const channel = socketChannel(far);
    const data = encodeFrame(FRAME.data, 1, Buffer.alloc(16_384));
    for (let at = 0; at < 15; at += 1) await channel.send(data);
    await service.resolve('still', signal);
    for (let at = 0; at < 3; at += 1) await channel.send(data).catch(() => {});
    await eventually(() => service.closed.aborted);
    expect((service.closed.reason as Error).message).toContain('streams that are over');
  });

  it.each([
    ['an address that is not a text', 7, 80],
    ['a port that is no number', '10.0.0.1', '80'],
    ['port 0', '10.0.0.1', 0],
  ])('refuses to connect to %s', async (_name, address, port) => {
    const { service } = await pair();
    await expect(service.open({ address, port } as Endpoint, signal)).rejects.toThrow('not valid');
  });
});

async function eventually(isTrue: () => boolean): Promise<void> {
  const giveUpAt = Date.now() + 60_000;
  while (!isTrue()) {
    if (Date.now() > giveUpAt) throw new Error('it did not become true');
    await new Promise((resume) => setTimeout(resume, 5));
  }
}
