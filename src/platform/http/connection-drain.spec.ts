import { type Server, type ServerResponse, createServer } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { eventually } from '../../../test/support/eventually';
import { ConnectionDrain } from './connection-drain';

describe('ConnectionDrain', () => {
  let server: Server;
  let drain: ConnectionDrain;
  let client: Socket;
  let answers: ServerResponse[];
  let received: string;

  beforeEach(async () => {
    answers = [];
    received = '';
    server = createServer((_request, response) => answers.push(response));
    server.keepAliveTimeout = 60_000;
    drain = new ConnectionDrain(server);
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

  it('closes a connection whose last response was written before the drain', async () => {
    const [first, second] = await pipelineTwoRequests();
    second.end('the second');
    drain.begin();
    first.end('the first');
    await closed();
    expect(received).toMatch(/the first[^]*the second/);
  });
});
