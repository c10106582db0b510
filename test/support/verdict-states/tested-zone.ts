import { AUTHORITIES, type Records, type Said, type ServerRole, type View, type ZoneServers } from './zone-servers';

/** What a zone says of mail and certificates. */
export interface ZoneContent {
  readonly records?: Records & { readonly truncated?: true };
  /** The TXT records of its `_dmarc` name. */
  readonly dmarc?: readonly string[];
}

/** A zone with three name servers, of which each may say something else. */
export class TestedZone {
  constructor(
    readonly host: string,
    /** The verified domain that it is below. */
    readonly domain: string,
    private readonly servers: ZoneServers,
  ) {
    for (const role of AUTHORITIES) this.publish(this.nameOf(role), { A: [servers.addresses[role]] });
    this.publish(`mx.${host}`, { A: [servers.addresses.first] });
  }

  nameOf(role: (typeof AUTHORITIES)[number]): string {
    return `ns-${role}.${this.host}`;
  }

  /** By all servers, or by one of them. */
  set({ records = {}, dmarc }: ZoneContent, role?: ServerRole): void {
    const nameServers = AUTHORITIES.map((one) => this.nameOf(one));
    const own = {
      SOA: nameServers.slice(0, 1),
      NS: nameServers,
      MX: [`mx.${this.host}`],
      A: [this.servers.addresses.first],
    };
    const said = records.CNAME === undefined ? { ...own, ...records } : records;
    this.publish(this.host, said, role);
    this.publish(`_dmarc.${this.host}`, dmarc === undefined ? 'nonexistent' : { TXT: dmarc }, role);
  }

  publish(name: string, said: Said | (() => Said), role?: ServerRole): void {
    this.view(role).set(name, said);
  }

  /** The IPv6 address of a server is published, and may have a view of its own. */
  addVersion6(role: (typeof AUTHORITIES)[number]): void {
    const { addresses } = this.servers;
    this.publish(this.nameOf(role), { A: [addresses[role]], AAAA: [addresses[`${role}6`]] });
  }

  /** Both contents in turn, for the questions that a check asks. */
  alternate(one: ZoneContent, other: ZoneContent, isFirst: () => boolean, role?: ServerRole): void {
    this.set(one, role);
    const view = this.view(role);
    const names = [this.host, `_dmarc.${this.host}`];
    const ofOne = names.map((name) => view.get(name) as Said);
    this.set(other, role);
    const ofOther = names.map((name) => view.get(name) as Said);
    names.forEach((name, at) => view.set(name, () => (isFirst() ? ofOne[at] : ofOther[at]) ?? 'servfail'));
  }

  /** Names below it that hold parts of its policy. */
  parts(count: number, record: (at: number) => string): string[] {
    return Array.from({ length: count }, (_, at) => {
      const name = `part${at}.${this.host}`;
      this.publish(name, { TXT: [record(at)] });
      return name;
    });
  }

  private view(role: ServerRole | undefined): View {
    return role === undefined ? this.servers.common : this.servers.view(role);
  }
}
