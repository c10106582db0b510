import { getServers, Resolver as NodeResolver } from 'node:dns/promises';
import { canonicalIp } from '../../kernel/cidr';
import { codeOf, ExchangeError } from './exchange';

/** The result of a DNS query. Only the first two say something about the zone. */
export type DnsState = 'found' | 'none' | 'servfail' | 'timeout';

export interface DnsAnswer {
  readonly state: DnsState;
  /** Each record as one line of text, as in a zone file; CAA as `flags tag value`. Empty unless found. */
  readonly records: readonly string[];
}

type Ask = (resolver: NodeResolver, name: string) => Promise<string[]>;

/** The supported record types, and how their records are written. */
const QUESTIONS = {
  A: (resolver, name) => resolver.resolve4(name),
  AAAA: (resolver, name) => resolver.resolve6(name),
  CNAME: (resolver, name) => resolver.resolveCname(name),
  NS: (resolver, name) => resolver.resolveNs(name),
  SOA: async (resolver, name) => {
    const { nsname, hostmaster, serial } = await resolver.resolveSoa(name);
    return [`${nsname} ${hostmaster} ${serial}`];
  },
  MX: async (resolver, name) =>
    (await resolver.resolveMx(name)).map(({ priority, exchange }) => `${priority} ${exchange}`),
  TXT: async (resolver, name) => (await resolver.resolveTxt(name)).map((parts) => parts.join('')),
  CAA: async (resolver, name) =>
    (await resolver.resolveCaa(name)).flatMap(({ critical, ...tags }) =>
      Object.entries(tags).map(([tag, value]) => `${critical} ${tag} ${value}`),
    ),
} satisfies Record<string, Ask>;

export type DnsType = keyof typeof QUESTIONS;

/** All other results (refused, malformed, no server reached) say nothing about the zone. */
const STATES: Readonly<Record<string, DnsState>> = {
  ENODATA: 'none',
  ENOTFOUND: 'none',
  ETIMEOUT: 'timeout',
  ECANCELLED: 'timeout',
};

const FAILURES: Readonly<Partial<Record<DnsState, string>>> = {
  servfail: 'its name server failed',
  timeout: 'no name server responded',
};

/** Further records of an answer are ignored. */
const MOST_RECORDS = 100;

/** Resolvers are replaced after this time, because they read the configuration of the machine only when they are created. */
const KEPT_MS = 30_000;

interface KeptResolver {
  readonly resolver: NodeResolver;
  readonly until: number;
}

/** Queries the configured name servers directly: without hosts file, search domains or cache. */
export class Resolver {
  /** Resolvers without a query, which are kept because creating one costs more than a query. */
  private readonly idle: KeptResolver[] = [];

  constructor(private readonly configured: readonly string[] = []) {}

  /** The queried servers, as `address` or `address:port`. */
  get servers(): readonly string[] {
    return this.configured.length > 0 ? this.configured : getServers();
  }

  async query(name: string, type: DnsType, signal: AbortSignal): Promise<DnsAnswer> {
    signal.throwIfAborted();
    const kept = this.take();
    const { resolver } = kept;
    const cancel = (): void => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const ask: Ask = QUESTIONS[type];
      return { state: 'found', records: (await ask(resolver, name)).slice(0, MOST_RECORDS) };
    } catch (error) {
      signal.throwIfAborted();
      return { state: STATES[codeOf(error)] ?? 'servfail', records: [] };
    } finally {
      signal.removeEventListener('abort', cancel);
      this.idle.push(kept);
    }
  }

  /** Takes a resolver that has no other query, because `cancel` ends all its queries. */
  private take(): KeptResolver {
    const kept = this.idle.pop();
    if (kept !== undefined && kept.until > performance.now()) return kept;
    const resolver = new NodeResolver({ timeout: 2_000, tries: 2 });
    if (this.configured.length > 0) resolver.setServers(this.configured);
    return { resolver, until: performance.now() + KEPT_MS };
  }

  /** The addresses of a host, IPv4 first. An address is returned as it is. With `all`, both queries must be answered. */
  async addresses(host: string, signal: AbortSignal, all = false): Promise<string[]> {
    const literal = canonicalIp(host);
    if (literal !== null) return [literal];
    const answers = await Promise.all([this.query(host, 'A', signal), this.query(host, 'AAAA', signal)]);
    const found = answers.flatMap(({ records }) => records.map(canonicalIp)).filter((address) => address !== null);
    const why = answers.map(({ state }) => FAILURES[state]).find((reason) => reason !== undefined);
    if (found.length === 0)
      throw new ExchangeError('unresolved', `${host} has no address: ${why ?? 'it does not exist'}`);
    if (all && why !== undefined)
      throw new ExchangeError('unresolved', `not all addresses of ${host} could be resolved: ${why}`);
    return found;
  }
}
