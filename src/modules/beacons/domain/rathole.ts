import { WIREGUARD_PORT } from './wireguard';

export interface RatholeClient {
  /** `host:port` of the server that the operator configured. */
  readonly server: string;
  /** What the server calls this beacon; unique on that server. */
  readonly service: string;
  readonly token: string;
}

/** TOML's basic strings escape as JSON's do, but for the one control character that JSON leaves as it is. */
const quoted = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007f');

/** The section that takes a beacon's WireGuard out of a network that nothing reaches from outside. */
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
