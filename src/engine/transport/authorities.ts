import { getDomain } from 'tldts';
import type { Egress } from './egress';
import { endpointText } from './endpoint';
import { ExchangeError } from './exchange';
import { type DnsAnswer, type DnsType, Resolver } from './resolver';

const DNS_PORT = 53;
/** Asked about the beginning of a zone, which cannot be an alias; and about aliases themselves. */
const WITHOUT_ALIASES: ReadonlySet<DnsType> = new Set(['SOA', 'NS', 'CNAME']);
const MOST_ALIASES = 8;
const MOST_SERVERS = 16;

/** The name and its parent names, up to the registered domain. */
function parentNames(name: string): string[] {
  const labels = name.split('.');
  const depth = labels.length - (getDomain(name) ?? name).split('.').length;
  return labels.slice(0, Math.max(0, depth) + 1).map((_label, at) => labels.slice(at).join('.'));
}

const FAILURES = { servfail: 'the name server failed', timeout: 'no name server responded' };

function recordsOf(name: string, { state, records }: DnsAnswer): readonly string[] {
  if (state === 'servfail' || state === 'timeout') throw new ExchangeError('unresolved', `${name}: ${FAILURES[state]}`);
  return records;
}

/**
 * The authoritative servers of zones. A resolver returns the answer of one server, perhaps an old one. Disagreements
 * between the servers only show when each of them is queried.
 */
export class Authorities {
  /** By endpoint. */
  readonly queried = new Set<string>();
  /** Name servers without a public address. */
  readonly skipped = new Set<string>();
  /** The number of servers of the zone with the most servers. */
  largestZone = 0;
  private readonly zones = new Map<string, Promise<readonly string[]>>();

  constructor(
    private readonly resolver: Resolver,
    private readonly egress: Egress,
    private readonly port = DNS_PORT,
    /** The organization that the zone is tested for. */
    private readonly organizationId?: number,
  ) {}

  /** Asks the server with this number of the zone that a name is in, and of those of the zones that its aliases lead to. */
  async query(number: number, name: string, type: DnsType, signal: AbortSignal): Promise<AuthorityAnswer> {
    let queried = name;
    for (let aliases = 0; aliases <= MOST_ALIASES; aliases += 1) {
      const servers = await this.serversFor(queried, signal);
      const server = servers[number % servers.length] ?? null;
      const resolver = server === null ? this.resolver : new Resolver([server]);
      if (server !== null) this.queried.add(server);
      // A server of one zone may keep an old copy of the zone that an alias leads to.
      const alias = WITHOUT_ALIASES.has(type) ? null : await resolver.query(queried, 'CNAME', signal);
      if (alias?.state === 'servfail' || alias?.state === 'timeout') return { answer: alias, server };
      const [next] = alias?.records ?? [];
      if (next === undefined) return { answer: await resolver.query(queried, type, signal), server };
      queried = next;
    }
    return { answer: { state: 'servfail', records: [] }, server: null };
  }

  private async serversFor(name: string, signal: AbortSignal): Promise<readonly string[]> {
    for (const zone of parentNames(name)) {
      const known = this.zones.get(zone) ?? this.serversOf(zone, signal);
      this.zones.set(zone, known);
      const servers = await known;
      if (servers.length === 0) continue;
      this.largestZone = Math.max(this.largestZone, servers.length);
      return servers;
    }
    // Not a zone that names its servers: those that the operator relies on are asked one by one.
    this.largestZone = Math.max(this.largestZone, this.resolver.servers.length);
    return this.resolver.servers;
  }

  /** None where the name is within a zone, and not its beginning. */
  private async serversOf(zone: string, signal: AbortSignal): Promise<readonly string[]> {
    if (recordsOf(zone, await this.resolver.query(zone, 'CNAME', signal)).length > 0) return [];
    const names = recordsOf(zone, await this.resolver.query(zone, 'NS', signal));
    const servers = new Set<string>();
    for (const name of names) for (const server of await this.endpointsOf(name, signal)) servers.add(server);
    if (names.length > 0 && servers.size === 0) return this.resolver.servers;
    if (servers.size > MOST_SERVERS)
      throw new ExchangeError(
        'unresolved',
        `${zone} has more than ${MOST_SERVERS} name servers, too many to query all of them`,
      );
    return [...servers];
  }

  private async endpointsOf(name: string, signal: AbortSignal): Promise<readonly string[]> {
    const v4 = recordsOf(name, await this.resolver.query(name, 'A', signal));
    // The same server, mostly, and not every machine has a way to it.
    const addresses = v4.length > 0 ? v4 : recordsOf(name, await this.resolver.query(name, 'AAAA', signal));
    const endpoints: string[] = [];
    for (const address of addresses) endpoints.push(...(await this.endpointsAt(address)));
    if (endpoints.length === 0) this.skipped.add(name);
    return endpoints;
  }

  private async endpointsAt(address: string): Promise<readonly string[]> {
    const relied = this.resolver.servers.filter((server) => server === address || hostOf(server) === address);
    if (relied.length > 0) return relied;
    const endpoint = { address, port: this.port };
    const refusal = await this.egress.refusal(endpoint, this.organizationId);
    return refusal === null ? [endpointText(endpoint)] : [];
  }
}

export interface AuthorityAnswer {
  readonly answer: DnsAnswer;
  /** The server that gave it; null where it was left to the resolver. */
  readonly server: string | null;
}

const hostOf = (server: string): string => /^\[?([^\]]+?)\]?:\d+$/.exec(server)?.[1] ?? server;
