import { connect } from 'node:net';
import { assess } from '../assess';
import type { WebCheck } from '../check';
import { ProbeSession } from '../probe-session';
import type { Target } from '../target';
import { certificate } from './certificate';
import { HOST, type TargetSetup, TestTarget } from './test-target';
import { type Service, TargetServer } from './target-server';
import { type Verdict, verify } from '../verdict';
import { MODERN_SUITES } from '../protocols/tls/cipher-suites';

/** How the interceptor answers a handshake that offers weak parameters. */
export type Interception = Service;

/** Ordinary TLS 1.3 clients send a session id for compatibility; the ClientHello messages of the checks do not. */
export const isHelloOfChecks = (hello: Buffer): boolean => hello[0] === 0x16 && hello[43] === 0;
const offersModern = (hello: Buffer): boolean => MODERN_SUITES.some((suite) => hello.readUInt16BE(46) === suite);

const offersWeakness = (hello: Buffer): boolean => isHelloOfChecks(hello) && !offersModern(hello);

const before =
  (port: number, interception: Interception | null, stops: (hello: Buffer) => boolean): Service =>
  (socket) =>
    void socket.once('data', (hello) => {
      if (interception !== null && stops(hello)) return interception(socket);
      const inner = connect(port, '127.0.0.1', () => inner.write(hello));
      inner.on('error', () => socket.destroy()).pipe(socket);
      socket.on('close', () => inner.destroy()).pipe(inner);
    });

/** The first record of a server that selects a version and a cipher suite. */
export const agreement = (version: number, suite: number): Buffer =>
  Buffer.concat([
    Buffer.from([0x16, 3, 1, 0, 42, 2, 0, 0, 38, version >> 8, version & 0xff]),
    Buffer.alloc(32, 7),
    Buffer.from([0, suite >> 8, suite & 0xff, 0]),
  ]);

const CERTIFICATE_MESSAGE = 11;

/** The same bytes in a message of another type. */
function misnamed(): Buffer {
  const record = agreement(0x0301, 0x000a);
  record[5] = CERTIFICATE_MESSAGE;
  return record;
}

const alert = (description: number): Buffer => Buffer.from([0x15, 3, 1, 0, 2, 2, description]);

export const answering =
  (bytes: Buffer | string): Interception =>
  (socket) =>
    void socket.end(bytes);

const silence: Interception = () => {};

/** Interceptors that answer instead of the target or not at all; null passes everything to a target that is not vulnerable. */
export const INTERCEPTIONS: readonly (readonly [
  what: string,
  interception: Interception | null,
  result: Verdict['result'],
])[] = [
  ['passes everything on', null, 'fixed'],
  ['refuses with an alert', answering(alert(40)), 'fixed'],
  ['refuses with an unrelated alert', answering(alert(49)), 'inconclusive'],
  ['closes the connection', (socket) => void socket.end(), 'fixed'],
  ['resets the connection', (socket) => void socket.resetAndDestroy(), 'fixed'],
  ['closes the connection after a while', (socket) => void setTimeout(() => socket.end(), 20), 'fixed'],
  [
    'resets the connection during the answer',
    (socket) => void socket.write('\x15', () => socket.resetAndDestroy()),
    'inconclusive',
  ],
  ['is silent', silence, 'inconclusive'],
  ['closes the connection during the answer', answering(agreement(0x0303, 0x000a).subarray(0, 20)), 'inconclusive'],
  ['answers with half a ServerHello', answering(Buffer.from([0x16, 3, 1, 0, 4, 2, 0, 0, 0])), 'inconclusive'],
  ['answers with another message', answering(misnamed()), 'inconclusive'],
  ['does not speak TLS', answering('HTTP/1.1 400 Bad Request\r\n\r\n'), 'inconclusive'],
  ['selects a suite that was not offered', answering(agreement(0x0303, 0x1301)), 'inconclusive'],
];

/** The verdict on a target that was vulnerable and is now behind such an interceptor. */
export async function verdictBehindInterception(
  check: WebCheck,
  vulnerable: TargetSetup,
  interception: Interception | null,
  stops = offersWeakness,
): Promise<Verdict['result']> {
  const testTarget = await TestTarget.open();
  const inner = await TargetServer.start(certificate({ names: [HOST] }));
  const via = { signal: new AbortController().signal };
  const target: Target = { scheme: 'https', host: HOST, port: testTarget.server.port, path: '/' };
  try {
    const { baseline } = await assess(
      check,
      target,
      new ProbeSession(
        testTarget.transport(4_000, () => vulnerable),
        via,
      ),
    );
    const intercepted: TargetSetup = ({ server }) => {
      server.service = before(inner.port, interception, stops);
    };
    const transport = testTarget.transport(interception === silence ? 400 : 10_000, () => intercepted);
    const { verdict } = await verify(check, target, baseline, transport, via, async () => null, {
      probes: 2,
      spreadMs: 1,
    });
    return verdict.result;
  } finally {
    await Promise.all([testTarget.close(), inner.stop()]);
  }
}
