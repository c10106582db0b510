import { useApi } from '../support/api';
import { basic } from '../support/client';
import { Factories } from '../support/factories';
import { describeWithGateway, startGateway } from '../support/nginx-gateway';
import { answerToUpload } from '../support/uploads';

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
    ['413 to a body in chunks', 413, () => post('/v1/domains/', authorization + JSON_TYPE), true],
    ['401', 401, () => post('/v1/domains/', JSON_TYPE), false],
    ['415', 415, () => post('/v1/domains/', `${authorization}Content-Type: text/plain\r\n`), false],
    ['404', 404, () => post('/v1/nothing', authorization + JSON_TYPE), false],
    ['404 outside of /v1', 404, () => post('/nothing', JSON_TYPE), false],
    ['405', 405, () => post('/v1/version', authorization + JSON_TYPE), false],
    ['417', 417, () => post('/v1/domains/', `${authorization}${JSON_TYPE}Expect: miracles\r\n`), false],
  ])('reaches a client that reads only after it has sent everything: %s', async (_name, status, head, chunked) => {
    const upload = { port: api.port, head: head(), bytes: 5 * MEGABYTES, chunked };
    for (let turn = 0; turn < 15; turn++) {
      const answer = await answerToUpload(upload);
      expect(statusOf(answer)).toBe(status);
      expect(answer).toMatch(/\r\n\r\n\{"code":\d{3},.*\}$/s);
    }
  });
});

describeWithGateway('through nginx', () => {
  it.each([
    ['that keeps the body until it has all of it', ''],
    ['that passes the body on as it comes', 'proxy_request_buffering off; proxy_http_version 1.1;'],
  ])('%s, clients get the 413 and the 401 of the API and no 502', async (_name, directives) => {
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
