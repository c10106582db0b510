import { Duplex } from 'node:stream';
import { Headers } from './headers';
import type { WireRequest } from './http-message';
import { requestOverHttp1 } from './http1';

const request: WireRequest = {
  origin: 'http://www.example.com',
  method: 'GET',
  path: '/',
  headers: new Headers([]),
  body: null,
};

const idle = (): Duplex => new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() });

const send = (stream: Duplex): Promise<unknown> =>
  requestOverHttp1(request, { stream, parts: [stream], isHttp2: false }, 1_024);

// Undici asks for another connection as long as it may, within one turn of the event loop: no timer of the process would run again.
it('fails if the connection was closed before the request', async () => {
  const stream = idle().destroy();
  await expect(send(stream)).rejects.toThrow('the connection was closed before the response was complete');
});

it('fails with the error that ended the connection before the request', async () => {
  const stream = idle().on('error', () => undefined);
  stream.destroy(Object.assign(new Error('reset by the target'), { code: 'ECONNRESET' }));
  await expect(send(stream)).rejects.toThrow('reset by the target');
});

it.each(['UND_ERR_SOCKET', 'UND_ERR_INFO'])(
  'fails if the client itself has ended the connection with %s',
  async (code) => {
    const stream = idle().on('error', () => undefined);
    stream.destroy(Object.assign(new Error('other side closed'), { code }));
    await expect(send(stream)).rejects.toThrow('the connection was closed before the response was complete');
  },
);
