import { WIREGUARD_PORT } from './wireguard';

export interface RatholeClient {
  /** `host:port` of the server that the operator configured. */
  readonly server: string;
  /** The name of this beacon on the server, where it is unique. */
  readonly service: string;
  readonly token: string;
}

/** TOML's basic strings use the escapes of JSON. JSON does not escape U+007F, which TOML requires. */
const quoted = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007f');

/** The configuration of the tunnel to a beacon's WireGuard in a network without inbound connections. */
export function ratholeClientConfig({ server, service, token }: RatholeClient): string {
  return [
    '[client]',
    `remote_addr = ${quoted(server)}`,
    '',
    `[client.services.${quoted(service)}]`,
    'type = "udp"',
    `token = ${quoted(token)}`,
    `local_addr = "127.0.0.1:${WIREGUARD_PORT}"`,
    '',
  ].join('\n');
}
