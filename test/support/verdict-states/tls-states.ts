import { knowsTls13, offersHttp2 } from '../../../src/engine/testing/hello-router';
import { type Conversation, dropping, lead, saying, type ServiceState } from './service-state';
import type { TlsServer } from './tls-servers';

type Ports = (server: TlsServer) => number;
export type TlsState = ServiceState<TlsServer>;
type Choice = (hello: Buffer, connection: number) => TlsServer;

const byHello =
  (choice: Choice) =>
  (ports: Ports): Conversation =>
  (socket, connection) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (hello: Buffer) => lead(socket, ports(choice(hello, connection)), hello));
  };

const always = (server: TlsServer) => byHello(() => server);
const plain = (conversation: Conversation) => () => conversation;

const served = (name: string, truth: TlsState['truth'], server: TlsServer): TlsState => ({
  name,
  truth,
  begin: always(server),
});
const chosen = (name: string, choice: Choice, more: Partial<TlsState> = {}): TlsState => ({
  name,
  truth: 'hidden',
  begin: byHello(choice),
  ...more,
});

const offersEcdsa = (hello: Buffer): boolean =>
  hello.includes(Buffer.from('c02b', 'hex')) || hello.includes(Buffer.from('c02c', 'hex'));

/** For every check of TLS: one server with the weakness, and one without. */
const statesBetween = (weak: TlsServer, good: TlsServer): readonly TlsState[] => [
  served('as it was', 'weak', weak),
  served('fixed', 'fixed', good),
  served('fixed, with an ECDSA key', 'fixed', 'goodEc'),
  chosen('weak for clients that offer HTTP/2', (hello) => (offersHttp2(hello) ? weak : good)),
  chosen('weak for clients that do not offer HTTP/2', (hello) => (offersHttp2(hello) ? good : weak)),
  chosen('weak for clients without TLS 1.3', (hello) => (knowsTls13(hello) ? good : weak)),
  chosen('weak for clients with TLS 1.3', (hello) => (knowsTls13(hello) ? weak : good)),
  chosen('weak on every second connection', (_hello, connection) => (connection % 2 === 0 ? weak : good)),
  chosen('weak on every third connection', (_hello, connection) => (connection % 3 === 2 ? weak : good)),
  chosen('weak on every fifth connection', (_hello, connection) => (connection % 5 === 4 ? weak : good), {
    truth: 'known limit',
    limit: 'fewServers',
  }),
  chosen('one of two servers weak, at random', () => (Math.random() < 1 / 2 ? weak : good)),
  chosen('one of four servers weak, at random', () => (Math.random() < 1 / 4 ? weak : good), {
    truth: 'known limit',
    limit: 'fewServers',
  }),
  { name: 'weak at its IPv6 address', truth: 'hidden', begin: always(good), version6: always(weak) },
  { name: 'weak at its IPv4 address', truth: 'hidden', begin: always(weak), version6: always(good) },
  { name: 'fixed at both addresses', truth: 'fixed', begin: always(good), version6: always(good) },
  { name: 'its IPv6 address drops connections', truth: 'unknowable', begin: always(good), version6: plain(dropping) },
  { name: 'connections dropped', truth: 'unknowable', begin: plain(dropping) },
  { name: 'HTTP at the port of TLS', truth: 'unknowable', begin: plain(saying('HTTP/1.1 400 Bad Request\r\n\r\n')) },
  {
    name: 'an alert for every handshake',
    truth: 'unknowable',
    begin: plain(saying(Buffer.from('15030300020228', 'hex'))),
  },
  {
    name: 'nothing is answered',
    truth: 'unknowable',
    begin: plain(
      (socket) =>
        void socket
          .on('error', () => undefined)
          .resume()
          .setTimeout(20_000, () => socket.destroy()),
    ),
  },
];

const split = (rsa: TlsServer, ec: TlsServer, weakEc: TlsServer | null): TlsState[] => [
  served('weak for RSA, fixed for ECDSA', 'hidden', rsa),
  served('weak for ECDSA, fixed for RSA', 'hidden', ec),
  ...(weakEc === null
    ? []
    : [
        chosen('weak for clients that offer ECDSA, without TLS 1.3', (hello) =>
          offersEcdsa(hello) && !knowsTls13(hello) ? weakEc : 'good',
        ),
      ]),
];

export interface TlsWeakness {
  readonly check: string;
  readonly weak: TlsServer;
  readonly states: readonly TlsState[];
}

export const TLS_WEAKNESSES: readonly TlsWeakness[] = [
  {
    check: 'expired-certificate',
    weak: 'expired',
    states: [
      ...statesBetween('expired', 'good'),
      ...split('oldRsa', 'oldEc', 'expiredEc'),
      served('a self-signed certificate instead', 'another target', 'selfSigned'),
      served('a certificate for another name instead', 'another target', 'foreign'),
    ],
  },
  {
    check: 'untrusted-certificate',
    weak: 'selfSigned',
    states: [
      ...statesBetween('selfSigned', 'good'),
      ...split('selfSignedRsa', 'selfSignedEc', null),
      served('a certificate for another name instead', 'another target', 'foreign'),
    ],
  },
  {
    check: 'mismatched-certificate',
    weak: 'foreign',
    states: [
      ...statesBetween('foreign', 'good'),
      ...split('foreignRsa', 'foreignEc', null),
      served('a self-signed certificate instead', 'another target', 'selfSigned'),
    ],
  },
  {
    check: 'weak-tls-protocol',
    weak: 'oldProtocols',
    states: [
      ...statesBetween('oldProtocols', 'good').filter(({ name }) => !/TLS 1\.3/.test(name)),
      served('TLS 1.3 alone', 'fixed', 'onlyTls13'),
      served('TLS 1.1 left', 'weak', 'tls11'),
      served('TLS 1.0 with one old cipher', 'weak', 'oneOldCipher'),
      served('TLS 1.0 for ECDSA alone', 'weak', 'oldProtocolsEc'),
    ],
  },
];
