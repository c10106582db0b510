import { type Conversation, dropping, lead, saying, type ServiceState } from './service-state';
import type { ServiceServer } from './service-servers';

export type State = ServiceState<ServiceServer>;
type Ports = (server: ServiceServer) => number;

const always =
  (server: ServiceServer) =>
  (ports: Ports): Conversation =>
  (socket) =>
    lead(socket, ports(server));
const plain = (conversation: Conversation) => (): Conversation => conversation;

export const served = (name: string, truth: State['truth'], server: ServiceServer): State => ({
  name,
  truth,
  begin: always(server),
});
export const said = (name: string, truth: State['truth'], conversation: Conversation): State => ({
  name,
  truth,
  begin: plain(conversation),
});
const chosen = (
  name: string,
  choice: (connection: number, port: number) => ServiceServer,
  more: Partial<State> = {},
): State => ({
  name,
  truth: 'hidden',
  begin: (ports) => (socket, connection) => lead(socket, ports(choice(connection, socket.remotePort ?? 0))),
  ...more,
});

/** Answers each line of a client. */
export const byLine =
  (answer: (line: string) => string, greeting = ''): Conversation =>
  (socket) => {
    socket.on('error', () => socket.destroy());
    if (greeting !== '') socket.write(`${greeting}\r\n`);
    socket.on('data', (bytes) => {
      for (const line of bytes.toString('latin1').split('\r\n').slice(0, -1)) socket.write(`${answer(line)}\r\n`);
    });
  };

const HTTP = saying('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');

/** For every service: one server with the weakness, and one without. */
export const between = (weak: ServiceServer, fixed: ServiceServer): readonly State[] => [
  served('as it was', 'weak', weak),
  served('fixed', 'fixed', fixed),
  chosen('every second connection weak', (connection) => (connection % 2 === 0 ? fixed : weak)),
  chosen('every third connection weak', (connection) => (connection % 3 === 2 ? weak : fixed)),
  chosen('weak at even source ports', (_connection, port) => (port % 2 === 0 ? weak : fixed)),
  chosen('weak at odd source ports', (_connection, port) => (port % 2 === 1 ? weak : fixed)),
  chosen('one of two weak, at random', () => (Math.random() < 1 / 2 ? weak : fixed)),
  chosen('one of four weak, at random', () => (Math.random() < 1 / 4 ? weak : fixed), {
    truth: 'known limit',
    limit: 'fewServers',
  }),
  { name: 'weak at its IPv6 address', truth: 'hidden', begin: always(fixed), version6: always(weak) },
  { name: 'its IPv6 address drops connections', truth: 'unknowable', begin: always(fixed), version6: plain(dropping) },
  said('closed after the connection', 'unknowable', dropping),
  said('HTTP at its port', 'unknowable', HTTP),
  said('SSH at its port', 'unknowable', saying('SSH-2.0-OpenSSH_9.2\r\n')),
];
