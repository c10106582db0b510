import type { Socket } from 'node:net';
import { HostileServer, transportTo } from '../testing/hostile-server';
import type { Conversation } from './conversation';
import type { Via } from './transport';

const via = (): Via => ({ signal: new AbortController().signal });

let server: HostileServer;

afterEach(() => server.stop());

async function heardFrom(
  behave: ConstructorParameters<typeof HostileServer>[0],
  talk: (line: Conversation) => Promise<Buffer>,
) {
  server = await new HostileServer(behave).start();
  const { value } = await transportTo(server.port).converse({ host: '127.0.0.1', port: server.port }, via(), talk);
  return value.toString();
}

describe('Conversation', () => {
  it('reads an answer until it is complete', async () => {
    const answer = await heardFrom(
      (socket) => socket.on('data', () => socket.write('250 hello\r\nmore')),
      (line) => {
        line.say('EHLO\r\n');
        return line.hear({ isWhole: (heard) => heard.includes('\n'), ms: 20_000 });
      },
    );
    expect(answer).toContain('250 hello');
  });

  it('ends with what a silent server said, when nothing follows for a moment', async () => {
    const answer = await heardFrom(
      (socket) => socket.write('hello'),
      (line) => line.hear({ isWhole: () => false, ms: 20_000, quietMs: 50 }),
    );
    expect(answer).toBe('hello');
  });

  it('ends when the server sends single bytes without end', async () => {
    const before = performance.now();
    const answer = await heardFrom(
      (socket) => {
        const drip = setInterval(() => socket.write('x'), 20);
        socket.once('close', () => clearInterval(drip));
      },
      (line) => line.hear({ isWhole: () => false, ms: 300, quietMs: 200 }),
    );
    expect(answer).toMatch(/^x+$/);
    expect(performance.now() - before).toBeLessThan(5_000);
  });

  it('reads no more bytes than its limit', async () => {
    const answer = await heardFrom(
      (socket) => socket.write(Buffer.alloc(10_000_000, 'a')),
      (line) => line.hear({ isWhole: () => false, ms: 20_000, bytes: 1_000 }),
    );
    expect(answer).toHaveLength(1_000);
  });

  it('says that the server has ended the connection', async () => {
    let isOver = false;
    const answer = await heardFrom(
      (socket) => socket.end('bye'),
      async (line) => {
        const heard = await line.hear({ isWhole: () => false, ms: 20_000 });
        ({ isOver } = line);
        return heard;
      },
    );
    expect([answer, isOver]).toEqual(['bye', true]);
  });

  it.each([
    ['answers in plain text', (socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['is silent', () => {}],
    ['begins an answer and says no more', (socket: Socket) => socket.write('S')],
    ['closes', (socket: Socket) => socket.end()],
  ])('does not agree on TLS with a server that %s', async (_what, behave) => {
    const agreed = await heardFrom(
      (socket) => socket.once('data', () => behave(socket)),
      async (line) => Buffer.from(String(await line.secure(300))),
    );
    expect(agreed).toBe('false');
  });
});
