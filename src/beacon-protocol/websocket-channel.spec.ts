import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { encodeFrame, encodeJson, FRAME } from './frame';
import { Multiplexer } from './multiplexer';
import { receiveFrom, webSocketChannel } from './websocket-channel';

const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Two sides of a connection, of which the first one receives, and the TCP connection of the other one. */
async function connected(): Promise<{ receiving: WebSocket; sending: WebSocket; tcp: Socket }> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const tcp = connect(port, '127.0.0.1');
  const sending = new WebSocket(`ws://127.0.0.1:${port}`, { createConnection: () => tcp });
  sending.on('error', () => {});
  const [[receiving]] = (await Promise.all([once(server, 'connection'), once(sending, 'open')])) as [
    [WebSocket],
    unknown,
  ];
  closing.push(
    () => [receiving, sending].forEach((socket) => socket.terminate()),
    () => server.close(),
  );
  receiveFrom(receiving, new Multiplexer(webSocketChannel(receiving)));
  return { receiving, sending, tcp };
}

/** A frame without data, whose mask is zero. */
const EMPTY_PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);

describe('a side that receives', () => {
  it.each(['ping', 'pong'] as const)(
    'ends the connection when it gets more than 50 %ss in an interval',
    async (kind) => {
      const { sending } = await connected();
      for (let at = 0; at < 51; at += 1) sending[kind]();
      const [code, reason] = (await once(sending, 'close')) as [number, Buffer];
      expect([code, reason.toString()]).toEqual([1008, 'too many pings or pongs']);
    },
  );

  it('accepts 50 pings and pongs in an interval', async () => {
    const { receiving, sending } = await connected();
    for (let at = 0; at < 25; at += 1) {
      sending.ping();
      sending.pong();
    }
    sending.send(encodeFrame(FRAME.control, 0, encodeJson({})));
    await once(receiving, 'message');
    expect(receiving.readyState).toBe(WebSocket.OPEN);
  });

  it('stops reading after a violation, and closes the connection', async () => {
    const { receiving, tcp, sending } = await connected();
    let pongs = 0;
    receiving.on('pong', () => (pongs += 1));
    tcp.write(Buffer.alloc(1_000_000 * EMPTY_PONG.length, EMPTY_PONG));
    const [code] = (await once(sending, 'close')) as [number];
    expect(code).toBe(1008);
    // What had already been read, which is about 128 KiB.
    expect(pongs).toBeLessThan(50_000);
  });

  it('completes the closing handshake with a side that sends nothing else', async () => {
    const { receiving, sending } = await connected();
    sending.send('text');
    const [code] = (await once(receiving, 'close')) as [number];
    expect(code).toBe(1008);
  });
});
