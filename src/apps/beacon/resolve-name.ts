import { Resolver } from 'node:dns/promises';
import { StreamFailure } from '../../beacon-protocol/stream-failure';
import { canonicalIp } from '../../kernel/cidr';

const QUERY_MS = 2_000;
const TRIES = 2;
/** For all questions about one name. */
const RESOLVE_MS = 8_000;

/** What an error says about the name; null if the name server did not respond properly. */
const NO_ADDRESS: Readonly<Record<string, true>> = { ENODATA: true, ENOTFOUND: true, EBADNAME: true };
const TIMEOUTS: Readonly<Record<string, true>> = { ETIMEOUT: true, ECANCELLED: true };

function codeOf(error: unknown): string {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : '';
}

function problemOf(error: unknown): string | null {
  const code = codeOf(error);
  if (NO_ADDRESS[code]) return null;
  return TIMEOUTS[code] ? 'no name server responded' : 'its name server failed';
}

/**
 * The addresses of a host, IPv4 first, as the name servers know them: without the hosts file and search domains. An empty
 * list of name servers means those of the machine.
 */
export async function resolveName(
  host: string,
  nameServers: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const literal = canonicalIp(host);
  if (literal !== null) return [literal];
  signal.throwIfAborted();
  // A new one reads the configuration of the machine again.
  const resolver = new Resolver({ timeout: QUERY_MS, tries: TRIES });
  if (nameServers.length > 0) resolver.setServers(nameServers);
  const cancel = (): void => resolver.cancel();
  const timer = setTimeout(cancel, RESOLVE_MS);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    signal.throwIfAborted();
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value.map(canonicalIp) : []));
    const addresses = [...new Set(found)].filter((address) => address !== null);
    if (addresses.length > 0) return addresses;
    const problems = answers.map((answer) => (answer.status === 'rejected' ? problemOf(answer.reason) : null));
    const problem = problems.find((one) => one !== null) ?? 'it does not exist';
    throw new StreamFailure('unresolved', `${host} has no address: ${problem}`);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}
