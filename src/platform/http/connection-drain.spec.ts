import { type Server, type ServerResponse, createServer } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { eventually } from '../../../test/support/eventually';
import { ConnectionDrain } from './connection-drain';

describe('a server that stops', () => {
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

  /** One after the other on one connection, without waiting for the answer to the first. */
  async function asksTwice(): Promise<[ServerResponse, ServerResponse]> {
    client.write('GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n');
    await eventually(async () => expect(answers).toHaveLength(2));
    return answers as [ServerResponse, ServerResponse];
  }

  const closed = () => new Promise((resolve) => client.once('close', resolve));

  it('sends both answers that are under way on one connection, and says with the last that it is', async () => {
    const [first, second] = await asksTwice();
    drain.begin();
    first.end('the first');
    second.end('the second');
    await closed();
    expect(received).toMatch(/keep-alive[^]*the first[^]*Connection: close[^]*the second/);
  });

  it('sends the second after the first has gone', async () => {
    const [first, second] = await asksTwice();
    first.end('the first');
    await new Promise((resolve) => first.once('close', resolve));
    drain.begin();
    second.end('the second');
    await closed();
    expect(received).toMatch(/the first[^]*Connection: close[^]*the second/);
  });

  it('keeps no connection of which the last answer was written before it could say so', async () => {
    const [first, second] = await asksTwice();
    second.end('the second');
    drain.begin();
    first.end('the first');
    await closed();
    expect(received).toMatch(/the first[^]*the second/);
  });
});
