import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { oneAtATime } from './one-at-a-time';

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

interface Served {
  readonly socket: Socket;
  readonly begun: ServerResponse[];
}

/** A connection whose requests arrive in one piece, and the answers that were begun. */
async function served(requests: number, use: (served: Served) => Promise<void>): Promise<void> {
  const begun: ServerResponse[] = [];
  const server = createServer(oneAtATime((_request, response) => void begun.push(response))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').resume();
  socket.on('error', () => undefined);
  try {
    socket.write(REQUEST.repeat(requests));
    await once(server, 'request');
    await use({ socket, begun });
  } finally {
    socket.destroy();
    server.closeAllConnections();
    server.close();
  }
}

const nextTurns = (ms = 50): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('the requests of a connection', () => {
  it('are handled one after the other', () =>
    served(3, async ({ begun }) => {
      for (const count of [1, 2, 3]) {
        await nextTurns();
        expect(begun).toHaveLength(count);
        begun.at(-1)?.end('done');
      }
    }));

  it('end the connection when many of them wait', () =>
    served(18, async ({ socket, begun }) => {
      await Promise.race([once(socket, 'close'), nextTurns(2_000)]);
      expect([socket.closed, begun.length]).toEqual([true, 1]);
    }));

  it('may number seventeen at once, and more after those are answered', () =>
    served(17, async ({ socket, begun }) => {
      for (let count = 0; count < 17; count++) {
        await nextTurns();
        begun[count]?.end('done');
      }
      socket.write(REQUEST);
      await nextTurns();
      expect(begun).toHaveLength(18);
      expect(socket.destroyed).toBe(false);
    }));
});
