import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { Duplex } from 'node:stream';
import { failureOf } from './exchange';
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

it('fails if the connection was closed before the request', async () => {
  const stream = idle().destroy();
  await expect(send(stream)).rejects.toThrow('the connection was closed before the response was complete');
});

it('fails with the error that ended the connection before the request', async () => {
  const stream = idle().on('error', () => undefined);
  stream.destroy(Object.assign(new Error('reset by the target'), { code: 'ECONNRESET' }));
  await expect(send(stream)).rejects.toThrow('reset by the target');
});

/** A server that records what it receives, and sends one response. */
async function sentTo(
  response: string,
  wire: Partial<WireRequest>,
): Promise<{ text: string; status: number; body: string }> {
  let text = '';
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      text = data.toString('latin1');
      socket.end(response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const stream = connect(port, '127.0.0.1').on('error', () => undefined);
    const line = { stream, parts: [stream], isHttp2: false };
    const answer = await requestOverHttp1({ ...request, ...wire }, line, 1_024);
    let body = '';
    for await (const chunk of answer.body) body += String(chunk);
    answer.assertComplete();
    answer.close();
    return { text, status: answer.status, body };
  } finally {
    server.close();
  }
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

// A target that recognizes a library by its headers could show it another page than a browser.
it('writes the fields of a request in their order and case, and none of its own', async () => {
  const headers = new Headers([
    ['Host', 'www.example.com'],
    ['Connection', 'keep-alive'],
    ['sec-ch-ua', '"x"'],
    ['User-Agent', 'someone'],
  ]);
  expect(await sentTo(OK, { headers, path: '/a/../b?c' })).toEqual({
    text: 'GET /a/../b?c HTTP/1.1\r\nHost: www.example.com\r\nConnection: keep-alive\r\nsec-ch-ua: "x"\r\nUser-Agent: someone\r\n\r\n',
    status: 200,
    body: 'ok',
  });
});

it.each([
  ['POST', 'a=b', 'POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\na=b'],
  ['POST', null, 'POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n'],
  ['DELETE', null, 'DELETE / HTTP/1.1\r\n\r\n'],
  ['PROPFIND', null, 'PROPFIND / HTTP/1.1\r\n\r\n'],
])('states the length of a %s with the body %s', async (method, body, text) => {
  expect(await sentTo(OK, { method, body })).toMatchObject({ text });
});

it('fails where the target switches to another protocol', async () => {
  const response = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n';
  await expect(sentTo(response, {})).rejects.toThrow('the target switched to another protocol');
});

it('fails for a request that HTTP/1.1 cannot carry', async () => {
  const error: unknown = await sentTo(OK, { path: '/a b' }).catch((thrown: unknown) => thrown);
  expect(failureOf(error)).toMatchObject({ reason: 'the request cannot be sent over HTTP/1.1' });
});
