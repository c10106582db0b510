import ipaddr from 'ipaddr.js';

/**
 * What limits count as one client: an IPv4 address, or the /64 of an IPv6 address, because a single client can use all addresses
 * of it. Text that is no address, such as that of a misconfigured gateway, counts as itself.
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}
