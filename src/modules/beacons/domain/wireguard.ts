import { generateKeyPairSync } from 'node:crypto';

/** Where a beacon's WireGuard listens: the far end of its rathole tunnel too. */
export const WIREGUARD_PORT = 51820;

export interface WireguardKeys {
  readonly privateKey: string;
  readonly publicKey: string;
}

const base64 = (base64url = ''): string => Buffer.from(base64url, 'base64url').toString('base64');

/** WireGuard's keys are those of X25519, thirty-two bytes in base64. */
export function newWireguardKeys(): WireguardKeys {
  const { d, x } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' });
  return { privateKey: base64(d), publicKey: base64(x) };
}

/** The service's end of the tunnel, as the operator configured it. */
export interface WireguardServer {
  readonly publicKey: string;
  /** `host:port`; null where the service dials the beacon, through rathole. */
  readonly endpoint: string | null;
  /** The blocks that the service's own addresses in the tunnel are from; nothing else is let in. */
  readonly addresses: readonly string[];
}

/**
 * What `wg setconf` reads. The beacon's address in the tunnel, its routes and its DNS server are not in it: those are
 * settings of its network, which only `wg-quick` would take from here, and it would reroute the machine.
 */
export function wireguardConfig(privateKey: string, server: WireguardServer | null): string {
  const own = ['[Interface]', `PrivateKey = ${privateKey}`, `ListenPort = ${WIREGUARD_PORT}`];
  if (server === null) return `${own.join('\n')}\n`;
  const peer = ['[Peer]', `PublicKey = ${server.publicKey}`, `AllowedIPs = ${server.addresses.join(', ')}`];
  // A beacon behind a NAT is reached only as long as it says something now and then.
  if (server.endpoint !== null) peer.push(`Endpoint = ${server.endpoint}`, 'PersistentKeepalive = 25');
  return `${own.join('\n')}\n\n${peer.join('\n')}\n`;
}

/**
 * The rathole client's own file travels in the same text, as comments, which `wg` passes over: both are made for this
 * beacon and shown this once.
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
