import { certificate, type TestCertificate } from '../../../src/engine/testing/certificate';
import { freePort } from '../../../src/engine/testing/real-server';
import { type RunningNginx, startNginx } from '../../../src/engine/testing/real-nginx';
import { AUTHORITY } from '../../../src/engine/testing/test-authority';
import { FRONT } from './library-site';

const DAY = 86_400_000;
const OLD = 'ssl_protocols TLSv1 TLSv1.1 TLSv1.2 TLSv1.3; ssl_ciphers ALL:@SECLEVEL=0;';
const NEW = 'ssl_protocols TLSv1.2 TLSv1.3;';

type Key = 'ec' | 'rsa';
const BOTH: readonly Key[] = ['rsa', 'ec'];

/** The certificates that the servers use, each with both kinds of keys. */
const KINDS = {
  good: {},
  expired: { from: new Date(Date.now() - 100 * DAY), until: new Date(Date.now() - 2 * DAY) },
  selfSigned: { issuer: undefined },
  foreign: { names: ['elsewhere.example'] },
} as const;
type Kind = keyof typeof KINDS;

interface Served {
  /** A certificate, or one for each kind of key. */
  readonly uses: readonly (readonly [Kind, Key])[];
  readonly directives?: string;
}

const one = (kind: Kind, key: Key = 'rsa', directives = NEW): Served => ({ uses: [[kind, key]], directives });
const pair = (rsa: Kind, ec: Kind): Served => ({
  uses: [
    [rsa, 'rsa'],
    [ec, 'ec'],
  ],
});

/** The servers that connections are led to. */
const SERVERS = {
  good: one('good'),
  goodEc: one('good', 'ec'),
  expired: one('expired'),
  expiredEc: one('expired', 'ec'),
  selfSigned: one('selfSigned'),
  foreign: one('foreign'),
  oldRsa: pair('expired', 'good'),
  oldEc: pair('good', 'expired'),
  selfSignedRsa: pair('selfSigned', 'good'),
  selfSignedEc: pair('good', 'selfSigned'),
  foreignRsa: pair('foreign', 'good'),
  foreignEc: pair('good', 'foreign'),
  oldProtocols: one('good', 'rsa', OLD),
  oldProtocolsEc: one('good', 'ec', OLD),
  onlyTls13: one('good', 'ec', 'ssl_protocols TLSv1.3;'),
  tls11: one('good', 'rsa', 'ssl_protocols TLSv1.1 TLSv1.2; ssl_ciphers ALL:@SECLEVEL=0;'),
  oneOldCipher: one(
    'good',
    'rsa',
    'ssl_protocols TLSv1 TLSv1.2; ssl_ciphers AES256-SHA:ECDHE-RSA-AES256-GCM-SHA384:@SECLEVEL=0;',
  ),
} as const satisfies Record<string, Served>;
export type TlsServer = keyof typeof SERVERS;

/** One nginx on loopback, with a port for each server. */
export class TlsServers {
  private constructor(
    private readonly nginx: RunningNginx,
    private readonly ports: ReadonlyMap<TlsServer, number>,
  ) {}

  /** With certificates for these names. */
  static async start(names: readonly string[]): Promise<TlsServers> {
    const certificates = new Map<string, TestCertificate>();
    for (const [kind, options] of Object.entries(KINDS))
      for (const key of BOTH)
        certificates.set(`${kind}-${key}`, certificate({ names, issuer: AUTHORITY, key, ...options }));
    const ports = new Map<TlsServer, number>();
    for (const name of Object.keys(SERVERS)) ports.set(name as TlsServer, await freePort());
    const block = (folder: string, [name, { uses, directives = NEW }]: [string, Served]): string => {
      const files = uses.map(
        ([kind, key]) =>
          `ssl_certificate ${folder}/${kind}-${key}.crt; ssl_certificate_key ${folder}/${kind}-${key}.key;`,
      );
      return `server { listen 127.0.0.1:${ports.get(name as TlsServer)} ssl; root ${folder}/root; ${files.join(' ')} ${directives} }`;
    };
    const files = [...certificates].flatMap(([name, { cert, key }]) => [
      [`${name}.crt`, cert],
      [`${name}.key`, key],
    ]);
    const nginx = await startNginx(
      ports.get('good') ?? 0,
      (folder) =>
        Object.entries(SERVERS)
          .map((entry) => block(folder, entry))
          .join('\n'),
      { 'root/index.html': FRONT, ...Object.fromEntries(files) },
    );
    return new TlsServers(nginx, ports);
  }

  portOf(server: TlsServer): number {
    return this.ports.get(server) ?? 0;
  }

  stop(): Promise<void> {
    return this.nginx.stop();
  }
}
