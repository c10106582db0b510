import { canonicalIp } from '../../kernel/cidr';
import { invalid } from '../../kernel/domain-error';

/** An address in its canonical spelling, and a port. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** Parses an endpoint: `127.0.0.1:8080` or `[::1]:8080`. */
export function parseEndpoint(text: string): Endpoint {
  const [, v6, v4, digits = ''] = /^(?:\[([^\]]+)\]|([^:[\]]+)):([1-9]\d{0,4})$/.exec(text.trim()) ?? [];
  const address = canonicalIp(v6 ?? v4 ?? '');
  const port = Number(digits);
  if (address === null || port > 65_535) {
    throw invalid(`"${text}" must be an address and a port, such as 127.0.0.1:8080 or [::1]:8080.`);
  }
  return { address, port };
}

export const endpointText = ({ address, port }: Endpoint): string =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;

/** Parses the address of a name server, whose port is optional. */
export function nameServerEndpoint(server: string): Endpoint {
  const address = canonicalIp(server);
  return address === null ? parseEndpoint(server) : { address, port: 53 };
}
