import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { useApi } from '../support/api';
import { basic } from '../support/client';
import { Factories } from '../support/factories';
import { describeWithGateway, startGateway } from '../support/nginx-gateway';

interface Upload {
  readonly port: number;
  /** The request line and headers with line ends, without Content-Length and Transfer-Encoding. */
  readonly head: string;
  readonly bytes: number;
  readonly chunked?: boolean;
}

const CHUNK = Buffer.alloc(65_536, 'x');

function framed(chunked: boolean, length: number): Buffer {
  const chunk = CHUNK.subarray(0, length);
  return chunked ? Buffer.concat([Buffer.from(`${length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]) : chunk;
}

async function send(socket: Socket, { head, bytes, chunked = false }: Upload): Promise<void> {
  const framing = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`;
  socket.write(`${head}${framing}\r\n\r\n`);
  for (let left = bytes; left > 0; left -= CHUNK.length) {
    const isFlushed = socket.write(framed(chunked, Math.min(left, CHUNK.length)));
    if (!isFlushed) await once(socket, 'drain');
  }
  if (chunked) socket.write('0\r\n\r\n');
}

/** Sends the whole body before it reads the response, as many clients do; throws when the connection fails. */
async function answerToUpload(upload: Upload): Promise<string> {
  const socket = connect({ port: upload.port, host: '127.0.0.1', allowHalfOpen: true });
  const failed = new Promise<never>((_resolve, reject) => {
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed before the body was sent')));
  });
  failed.catch(() => undefined);
  try {
    await Promise.race([send(socket, upload), failed]);
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    await Promise.race([once(socket, 'end'), failed]);
    return answer;
  } finally {
    socket.destroy();
  }
}

const api = useApi();
const make = new Factories(api);

const MEGABYTES = 1_048_576;
const JSON_TYPE = 'Content-Type: application/json\r\n';

let authorization: string;

beforeAll(async () => {
  const { credentials } = await (await make.organization()).as('owner');
  authorization = `Authorization: ${basic(credentials)}\r\n`;
});

const post = (path: string, headers: string): string => `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}`;

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);

describe('a response that is sent before the request body has arrived', () => {
  it.each<[string, number, () => string, boolean]>([
    ['413', 413, () => post('/v1/domains/', authorization + JSON_TYPE), false],
    ['413 to a chunked body', 413, () => post('/v1/domains/', authorization + JSON_TYPE), true],
    ['401', 401, () => post('/v1/domains/', JSON_TYPE), false],
    ['415', 415, () => post('/v1/domains/', `${authorization}Content-Type: text/plain\r\n`), false],
    ['404', 404, () => post('/v1/nothing', authorization + JSON_TYPE), false],
    ['404 outside of /v1', 404, () => post('/nothing', JSON_TYPE), false],
    ['405', 405, () => post('/v1/version', authorization + JSON_TYPE), false],
    ['417', 417, () => post('/v1/domains/', `${authorization}${JSON_TYPE}Expect: miracles\r\n`), false],
  ])('reaches a client that reads only after it has sent the whole body: %s', async (_name, status, head, chunked) => {
    const upload = { port: api.port, head: head(), bytes: 5 * MEGABYTES, chunked };
    for (let turn = 0; turn < 15; turn++) {
      const answer = await answerToUpload(upload);
      expect(statusOf(answer)).toBe(status);
      expect(answer).toMatch(/\r\n\r\n\{"code":\d{3},.*\}$/s);
    }
  });
});

describeWithGateway('behind an nginx', () => {
  it.each([
    ['that buffers the request body', ''],
    ['that does not buffer the request body', 'proxy_request_buffering off; proxy_http_version 1.1;'],
  ])('%s, clients get the 413 and the 401 of the API instead of a 502', async (_name, directives) => {
    const gateway = await startGateway(api.port, directives);
    try {
      const upload = { port: gateway.port, bytes: 5 * MEGABYTES };
      const close = 'Connection: close\r\n';
      for (let turn = 0; turn < 15; turn++) {
        const tooLarge = await answerToUpload({
          ...upload,
          head: post('/v1/domains/', authorization + JSON_TYPE + close),
        });
        const unauthenticated = await answerToUpload({ ...upload, head: post('/v1/domains/', JSON_TYPE + close) });
        expect([statusOf(tooLarge), statusOf(unauthenticated)]).toEqual([413, 401]);
      }
    } finally {
      await gateway.stop();
    }
  });
});
