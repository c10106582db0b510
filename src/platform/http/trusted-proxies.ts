import { BlockList } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The ranges that Express knows by these names. */
const NAMED_RANGES: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** Whether an address of a connection is one of the gateways in `TRUSTED_PROXIES`. */
export function trustedProxies(listed: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const block of listed.flatMap((entry) => NAMED_RANGES[entry] ?? [entry])) {
    const [address = '', prefix] = block.split('/');
    if (prefix === undefined) list.addAddress(...plainAddress(address));
    else list.addSubnet(address, Number(prefix), ipaddr.parse(address).kind());
  }
  return (address) => list.check(...plainAddress(address));
}

/** An IPv4 address that is written as IPv6 becomes IPv4 again. */
function plainAddress(text: string): [address: string, family: 'ipv4' | 'ipv6'] {
  const address = ipaddr.process(text);
  return [address.toString().replace(/%.*/, ''), address.kind()];
}
