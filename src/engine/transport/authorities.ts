import { getDomain } from 'tldts';
import { canonicalIp } from '../../kernel/cidr';
import { endpointText, parseEndpoint } from './endpoint';
import { ExchangeError } from './exchange';
import type { ExchangeClock } from './exchange-clock';
import type { NameServers, NoReply } from './name-servers';
import type { DnsReply } from './dns-message';
import { type DnsAnswer, type DnsType, Resolver } from './resolver';

/** Looked up without following aliases: records at the top of a zone, which cannot be an alias, and aliases themselves. */
const WITHOUT_ALIASES: ReadonlySet<DnsType> = new Set(['SOA', 'NS', 'CNAME']);
const MOST_ALIASES = 8;
/** The maximum number of addresses of the name servers of one zone. */
export const MOST_SERVERS = 32;
const PARENT_ATTEMPTS = 3;

/** The name and its parent names, up to the registered domain. */
function parentNames(name: string): string[] {
  const labels = name.split('.');
  const depth = labels.length - (getDomain(name) ?? name).split('.').length;
  return labels.slice(0, Math.max(0, depth) + 1).map((_label, at) => labels.slice(at).join('.'));
}

/** The names above the top of a zone. */
const namesAbove = (zone: string): string[] => {
  const labels = zone.split('.').slice(1);
  return labels.map((_label, at) => labels.slice(at).join('.'));
};

const FAILURES = { servfail: 'the name server failed', timeout: 'no name server responded' };

function recordsOf(name: string, { state, records }: DnsAnswer): readonly string[] {
  if (state === 'servfail' || state === 'timeout') throw new ExchangeError('unresolved', `${name}: ${FAILURES[state]}`);
  return records;
}

/** The settings of an exchange with name servers. */
export interface Asking {
  readonly signal: AbortSignal;
  readonly clock: ExchangeClock;
}

export interface AuthorityAnswer {
  readonly answer: DnsAnswer;
  /** The server that answered; null if the question was left to the resolver. */
  readonly server: string | null;
}

interface Answered extends DnsAnswer {
  readonly alias: string | null;
}

const isVersion6 = (server: string): boolean => server.startsWith('[');

/**
 * The authoritative servers of zones, for one verification. A resolver returns the answer of one server, which may be outdated.
 * Differences between servers only show if each address of each server is queried.
 */
export class Authorities {
  /** The endpoints that were queried for the tested name. */
  readonly queried = new Set<string>();
  /** Name servers without a public address. */
  readonly skipped = new Set<string>();
  /** Addresses without a route, or IPv6 addresses of which none answers. */
  readonly unreachable = new Set<string>();
  /** Servers that only the parent zone names and that do not answer with authority. */
  readonly withoutAuthority = new Set<string>();
  /** Zones whose parent did not say which servers it names. */
  readonly withoutParent = new Set<string>();
  /** The number of servers of the tested name's zone, or of the zone that its aliases lead to. */
  serverCount = 1;
  private readonly zones = new Map<string, Promise<readonly string[]>>();
  private readonly known = new Map<string, Promise<Answered>>();
  private readonly answers = new Map<string, AuthorityAnswer>();

  constructor(
    private readonly resolver: Resolver,
    private readonly nameServers: NameServers,
    /** Its own records and those of the names above it are queried each time, all others once per server. */
    private readonly host: string,
    /** The organization for which the zone is tested. */
    private readonly organizationId?: number,
  ) {}

  /** Queries the server with this number in the zone of the name, and in the zones that its aliases lead to. */
  async query(number: number, name: string, type: DnsType, asking: Asking, isLast = false): Promise<AuthorityAnswer> {
    const isOwn = this.isOwn(name);
    const isRepeated = isLast || (isOwn && type !== 'SOA');
    let queried = name;
    for (let aliases = 0; aliases <= MOST_ALIASES; aliases += 1) {
      const servers = await this.serversFor(queried, isOwn, asking);
      const server = servers[number % servers.length] ?? null;
      if (server !== null && isOwn) this.queried.add(server);
      const { alias, ...answer } = await this.answerOf(server, queried, type, asking, isRepeated);
      if (alias === null) return this.sameAnswer({ answer, server }, `${server} ${name} ${type}`, isRepeated);
      queried = alias;
    }
    return { answer: { state: 'servfail', records: [] }, server: null };
  }

  private isOwn(name: string): boolean {
    const base = name.replace(/^(?:_[^.]*\.)+/, '');
    return this.host === base || this.host.endsWith(`.${base}`);
  }

  /** Returns the same object for questions that are asked only once, so that evidence shows one exchange. */
  private sameAnswer(answer: AuthorityAnswer, key: string, isRepeated: boolean): AuthorityAnswer {
    const first = isRepeated ? answer : (this.answers.get(key) ?? answer);
    if (!isRepeated) this.answers.set(key, first);
    return first;
  }

  private answerOf(
    server: string | null,
    name: string,
    type: DnsType,
    asking: Asking,
    isRepeated: boolean,
  ): Promise<Answered> {
    const key = `${server} ${name} ${type}`;
    const known = isRepeated ? undefined : this.known.get(key);
    if (known !== undefined) return known;
    const answered =
      server === null || this.isConfigured(server)
        ? this.answerOfResolver(server === null ? this.resolver : new Resolver([server]), name, type, asking)
        : this.answerOfAuthority(server, name, type, asking);
    if (!isRepeated) this.known.set(key, answered);
    return answered;
  }

  /** A server that the operator configured is queried as a resolver, which follows aliases by itself. */
  private async answerOfResolver(
    resolver: Resolver,
    name: string,
    type: DnsType,
    { signal }: Asking,
  ): Promise<Answered> {
    const alias = WITHOUT_ALIASES.has(type) ? null : await resolver.query(name, 'CNAME', signal);
    if (alias?.state === 'servfail' || alias?.state === 'timeout') return { ...alias, alias: null };
    const [next = null] = alias?.records ?? [];
    return next === null
      ? { ...(await resolver.query(name, type, signal)), alias: null }
      : { state: 'found', records: [], alias: next };
  }

  /** A server that does not answer with authority has no data of the zone, or forwards the question. */
  private async answerOfAuthority(server: string, name: string, type: DnsType, asking: Asking): Promise<Answered> {
    const reply = await this.ask(server, name, type, asking);
    if (typeof reply === 'string') return { state: 'timeout', records: [], alias: null };
    const { state, records, alias, isAuthoritative } = reply;
    return isAuthoritative ? { state, records, alias } : { state: 'servfail', records: [], alias: null };
  }

  private ask(server: string, name: string, type: DnsType, asking: Asking): Promise<DnsReply | NoReply> {
    return this.nameServers.ask(parseEndpoint(server), { name, type }, asking, this.organizationId);
  }

  private isConfigured(server: string): boolean {
    return this.resolver.servers.includes(server);
  }

  private async serversFor(name: string, isOwn: boolean, asking: Asking): Promise<readonly string[]> {
    for (const zone of parentNames(name)) {
      const known = this.zones.get(zone) ?? this.serversOf(zone, isOwn, asking);
      this.zones.set(zone, known);
      const servers = await known;
      if (servers.length > 0) return this.counted(servers, isOwn);
    }
    // No zone names its servers, so those that the operator configured are queried one by one.
    return this.counted(this.resolver.servers, isOwn);
  }

  private counted(servers: readonly string[], isOwn: boolean): readonly string[] {
    if (isOwn) this.serverCount = Math.max(this.serverCount, servers.length);
    return servers;
  }

  /** Empty if the name is within a zone and not its top. */
  private async serversOf(zone: string, isOwn: boolean, asking: Asking): Promise<readonly string[]> {
    const { signal } = asking;
    if (recordsOf(zone, await this.resolver.query(zone, 'CNAME', signal)).length > 0) return [];
    const names = recordsOf(zone, await this.resolver.query(zone, 'NS', signal));
    if (names.length === 0) return [];
    const delegated = isOwn ? (await this.namedByParent(zone, asking)).filter((name) => !names.includes(name)) : [];
    const [own, others] = await Promise.all([
      this.endpointsOf(zone, names, signal),
      this.endpointsOf(zone, delegated, signal),
    ]);
    if (own.size === 0 && others.size === 0) return this.resolver.servers;
    const servers = await this.reachable(zone, [...own], asking);
    for (const server of others) {
      if (own.has(server)) continue;
      const answer = await this.answerOf(server, zone, 'SOA', asking, false);
      if (answer.state === 'found') servers.push(server);
      else this.withoutAuthority.add(server);
    }
    if (servers.length === 0) throw new ExchangeError('unresolved', `no name server of ${zone} can be reached`);
    return servers;
  }

  /** Leaves out addresses without a route, and IPv6 addresses if none of them answers, because that may be our network. */
  private async reachable(zone: string, servers: readonly string[], asking: Asking): Promise<string[]> {
    const asked = servers.filter((server) => !this.isConfigured(server));
    const replies = new Map<string, DnsReply | NoReply>();
    await Promise.all(
      asked.map(async (server) => void replies.set(server, await this.ask(server, zone, 'SOA', asking))),
    );
    const isSilent = (server: string): boolean => typeof replies.get(server) === 'string';
    const [version6, version4] = [asked.filter(isVersion6), servers.filter((server) => !isVersion6(server))];
    const skipsVersion6 = version4.length > 0 && version6.every(isSilent);
    return servers.filter((server) => {
      const isSkipped = isVersion6(server) && (skipsVersion6 || replies.get(server) === 'no_route');
      if (isSkipped) this.unreachable.add(server);
      return !isSkipped;
    });
  }

  /**
   * The servers that the parent zone names, which may include a server that was forgotten at the registrar. A server that the
   * operator configured as a resolver returns the servers of the zone itself instead.
   */
  private async namedByParent(zone: string, asking: Asking): Promise<readonly string[]> {
    for (const parent of namesAbove(zone)) {
      const names = await this.resolver.query(parent, 'NS', asking.signal);
      if (names.records.length === 0) continue;
      for (const name of names.records.slice(0, PARENT_ATTEMPTS)) {
        const servers = await this.endpointsOfOne(name, asking.signal);
        const server = servers.find((one) => !this.isConfigured(one));
        const reply = server === undefined ? 'silent' : await this.ask(server, zone, 'NS', asking);
        if (typeof reply !== 'string' && reply.state !== 'servfail') return reply.referredTo;
      }
      break;
    }
    this.withoutParent.add(zone);
    return [];
  }

  private async endpointsOf(zone: string, names: readonly string[], signal: AbortSignal): Promise<Set<string>> {
    const found = new Set<string>();
    const resolve = async (name: string): Promise<readonly string[]> => {
      const servers = await this.endpointsOfOne(name, signal);
      if (servers.length === 0) this.skipped.add(name);
      return servers;
    };
    if (names.length <= MOST_SERVERS)
      for (const server of (await Promise.all(names.map(resolve))).flat()) found.add(server);
    if (names.length > MOST_SERVERS || found.size > MOST_SERVERS)
      throw new ExchangeError(
        'unresolved',
        `the name servers of ${zone} have more than ${MOST_SERVERS} addresses, too many to query all of them`,
      );
    return found;
  }

  private async endpointsOfOne(name: string, signal: AbortSignal): Promise<readonly string[]> {
    const types = ['A', 'AAAA'] as const;
    const answers = await Promise.all(types.map(async (type) => this.resolver.query(name, type, signal)));
    const addresses = answers.flatMap((answer) => recordsOf(name, answer));
    return (await Promise.all(addresses.map((address) => this.endpointsAt(address)))).flat();
  }

  private async endpointsAt(address: string): Promise<readonly string[]> {
    const configured = this.resolver.servers.filter((server) => server === address || hostOf(server) === address);
    if (configured.length > 0) return configured;
    const endpoint = this.nameServers.endpointAt(address);
    const refusal = await this.nameServers.refusal(endpoint, this.organizationId);
    return refusal === null ? [endpointText(endpoint)] : [];
  }
}

const hostOf = (server: string): string => {
  const host = /^\[?([^\]]+?)\]?:\d+$/.exec(server)?.[1] ?? server;
  return canonicalIp(host) ?? host;
};
