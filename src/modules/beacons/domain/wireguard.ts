import { generateKeyPairSync } from 'node:crypto';

/** The port of a beacon's WireGuard, to which its rathole tunnel also leads. */
export const WIREGUARD_PORT = 51820;

export interface WireguardKeys {
  readonly privateKey: string;
  readonly publicKey: string;
}

const base64 = (base64url = ''): string => Buffer.from(base64url, 'base64url').toString('base64');

/** WireGuard uses X25519 keys: 32 bytes in base64. */
export function newWireguardKeys(): WireguardKeys {
  const { d, x } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' });
  return { privateKey: base64(d), publicKey: base64(x) };
}

/** The service's end of the tunnel, as the operator configured it. */
export interface WireguardServer {
  readonly publicKey: string;
  /** `host:port`; null if the service connects to the beacon through rathole. */
  readonly endpoint: string | null;
  /** The addresses of the service in the tunnel. The beacon accepts packets only from these. */
  readonly addresses: readonly string[];
}

/**
 * The file for `wg setconf`. It has no tunnel address, routes and DNS server: only `wg-quick` reads these, and it would change
 * the routes of the machine.
 */
export function wireguardConfig(privateKey: string, server: WireguardServer | null): string {
  const own = ['[Interface]', `PrivateKey = ${privateKey}`, `ListenPort = ${WIREGUARD_PORT}`];
  if (server === null) return `${own.join('\n')}\n`;
  const peer = ['[Peer]', `PublicKey = ${server.publicKey}`, `AllowedIPs = ${server.addresses.join(', ')}`];
  // Keepalive packets keep the NAT mapping of the beacon open.
  if (server.endpoint !== null) peer.push(`Endpoint = ${server.endpoint}`, 'PersistentKeepalive = 25');
  return `${own.join('\n')}\n\n${peer.join('\n')}\n`;
}

/**
 * Appends the file for the rathole client as comments, which `wg` ignores. So one response field contains both files, which are
 * shown only once.
 */
export const withRathole = (config: string, client: string): string =>
  [
    config,
    '# client.toml of rathole, each line after its "# ":',
    ...client
      .trimEnd()
      .split('\n')
      .map((line) => `# ${line}`.trimEnd()),
    '',
  ].join('\n');
