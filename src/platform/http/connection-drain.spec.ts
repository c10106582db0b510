import { type Server, type ServerResponse, createServer } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { eventually } from '../../../test/support/eventually';
import { ConnectionDrain } from './connection-drain';

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  );

describe('ConnectionDrain', () => {
  let server: Server;
  let drain: ConnectionDrain;
  let client: Socket;
  let answers: ServerResponse[];
  let received: string;
  let isGateway: boolean;

  beforeEach(async () => {
    answers = [];
    received = '';
    isGateway = false;
    server = createServer((_request, response) => answers.push(response));
    server.keepAliveTimeout = 60_000;
    drain = new ConnectionDrain(server, () => isGateway);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('data', (chunk) => (received += chunk.toString()));
  });
  afterEach(() => {
    client.destroy();
    server.close();
  });

  /** Sends two pipelined requests on one connection. */
  async function pipelineTwoRequests(): Promise<[ServerResponse, ServerResponse]> {
    client.write('GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n');
    await eventually(async () => expect(answers).toHaveLength(2));
    return answers as [ServerResponse, ServerResponse];
  }

  /** A request after the drain began. */
  async function requestOnce(): Promise<ServerResponse> {
    const count = answers.length;
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await eventually(async () => expect(answers).toHaveLength(count + 1));
    return answers[count] as ServerResponse;
  }

  const closed = () => new Promise((resolve) => client.once('close', resolve));

  it('sends both pipelined responses, and Connection: close only with the last', async () => {
    const [first, second] = await pipelineTwoRequests();
    drain.begin();
    first.end('the first');
    second.end('the second');
    await closed();
    expect(received).toMatch(/keep-alive[^]*the first[^]*Connection: close[^]*the second/);
  });

  it('sends the second pipelined response when the first was sent before the drain', async () => {
    const [first, second] = await pipelineTwoRequests();
    first.end('the first');
    await new Promise((resolve) => first.once('close', resolve));
    drain.begin();
    second.end('the second');
    await closed();
    expect(received).toMatch(/the first[^]*Connection: close[^]*the second/);
  });

  it('closes an idle connection at once', async () => {
    (await requestOnce()).end('before');
    await eventually(async () => expect(received).toContain('before'));
    const over = closed();
    drain.begin();
    await over;
  });

  it.each(['that was used before', 'that has not sent a request'])(
    'answers a request that a gateway sends on a connection %s, and closes it then',
    async (which) => {
      isGateway = true;
      if (which === 'that was used before') {
        (await requestOnce()).end('before');
        await eventually(async () => expect(received).toContain('before'));
      } else await eventually(async () => expect(await connectionsOf(server)).toBe(1));
      drain.begin();
      const over = closed();
      (await requestOnce()).end('after');
      await over;
      expect(received).toMatch(/Connection: close[^]*after$/);
    },
  );

  it('answers a request on a connection that the system accepted before the process stopped listening', async () => {
    isGateway = true;
    const late = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let answer = '';
    late.on('data', (chunk) => (answer += chunk.toString())).on('error', () => undefined);
    const over = new Promise((resolve) => late.once('close', resolve));
    late.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n');
    // Now the system has accepted it, and the process has not.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    await drain.stopListening();
    expect(server.listening).toBe(false);
    drain.begin();
    await eventually(async () => expect(answers).toHaveLength(1));
    answers[0]?.end('accepted');
    await over;
    expect(answer).toMatch(/Connection: close[^]*accepted$/);
  });

  it('closes the idle connections of gateways when they have had time to notice', async () => {
    isGateway = true;
    await eventually(async () => expect(await connectionsOf(server)).toBe(1));
    const over = closed();
    drain.begin();
    drain.closeIdle();
    await over;
  });

  it('closes a connection whose last response was written before the drain', async () => {
    const [first, second] = await pipelineTwoRequests();
    second.end('the second');
    drain.begin();
    first.end('the first');
    await closed();
    expect(received).toMatch(/the first[^]*the second/);
  });
});
