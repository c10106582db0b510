import { canonicalIp, Cidr } from '../../../kernel/cidr';
import type { DnsType } from '../../transport/resolver';
import { InvalidSpf, isSpf, parseSpf, SPF_QUALIFIERS, type SpfMechanism } from './spf-record';

/** Who delivers a message, as receivers see it. */
export interface Sender {
  readonly address: string;
  readonly localPart: string;
  readonly domain: string;
  readonly helo: string;
}

/** `none`: there is no record. A record that receivers refuse throws `InvalidSpf`. */
export type SpfResult = 'none' | (typeof SPF_QUALIFIERS)[keyof typeof SPF_QUALIFIERS];

/** Looks up the records of a name. It must throw if the name server fails. */
export type Lookup = (name: string, type: DnsType) => Promise<readonly string[]>;

/** RFC 7208, 4.6.4. */
const MOST_LOOKUPS = 10;
const MOST_VOID_LOOKUPS = 2;
const MOST_MAIL_SERVERS = 10;

/** Nobody owns a larger block, so a record that allows one allows servers of everybody. */
const LARGEST_BLOCK = { 4: 8, 6: 16 };

const LONGEST_NAME = 253;

const isName = (name: string): boolean =>
  name.includes('.') && name.split('.').every((label) => label.length > 0 && label.length <= 63);

const reversed = (address: string): string =>
  address.includes(':') ? Buffer.from(ipv6Bytes(address)).toString('hex').split('').join('.') : address;

const ipv6Bytes = (address: string): number[] => {
  const [block] = Cidr.containing(address).slice(-1);
  return block === undefined ? [] : block.bytes;
};

/** The evaluation of a sender by the record of a name, as receivers do it (`check_host` in RFC 7208). */
export class SpfEvaluation {
  private lookups = 0;
  private voidLookups = 0;
  private dependsOnSender = false;

  constructor(
    private readonly sender: Sender,
    private readonly lookup: Lookup,
  ) {}

  async resultOf(name: string): Promise<SpfResult> {
    const records = (await this.lookup(name, 'TXT')).filter(isSpf);
    const [record] = records;
    if (record === undefined) return 'none';
    if (records.length > 1) throw this.invalid(`${name} has ${records.length} SPF records`);
    const { mechanisms, redirect } = parseSpf(record);
    for (const mechanism of mechanisms)
      if (await this.matches(mechanism, name)) return SPF_QUALIFIERS[mechanism.qualifier];
    if (redirect === null) return 'neutral';
    this.countLookup();
    const next = this.expand(redirect, name);
    const result = isName(next) ? await this.resultOf(next) : 'none';
    if (result === 'none') throw this.invalid(`${next} has no SPF record`);
    return result;
  }

  private async matches(mechanism: SpfMechanism, name: string): Promise<boolean> {
    const { kind, network, domain } = mechanism;
    if (kind === 'all') return true;
    if (network !== null) return this.isInBlock(network);
    this.countLookup();
    // A mechanism that depends on the reverse zone does not match a made-up sender.
    if (kind === 'ptr') return false;
    const other = domain === null ? name : this.expand(domain, name);
    if (kind === 'include') return this.includes(other);
    if (!isName(other)) return false;
    if (kind === 'exists') return (await this.find(other, 'A')).length > 0;
    const hosts = kind === 'a' ? [other] : await this.mailServersOf(other);
    for (const host of hosts)
      for (const address of await this.find(host, this.isVersion6 ? 'AAAA' : 'A'))
        if (this.isAddressOf(address, mechanism)) return true;
    return false;
  }

  private async includes(name: string): Promise<boolean> {
    const result = isName(name) ? await this.resultOf(name) : 'none';
    if (result === 'none') throw this.invalid(`${name} has no SPF record`);
    return result === 'pass';
  }

  private async mailServersOf(name: string): Promise<string[]> {
    const servers = (await this.find(name, 'MX')).map((record) => record.split(' ')[1] ?? '').filter(isName);
    if (servers.length > MOST_MAIL_SERVERS)
      throw this.invalid(`${name} has more than ${MOST_MAIL_SERVERS} mail servers`);
    return servers;
  }

  private isAddressOf(address: string, { prefix, prefix6 }: SpfMechanism): boolean {
    const block = Cidr.containing(canonicalIp(address) ?? '')[this.isVersion6 ? prefix6 : prefix];
    return block !== undefined && this.isInBlock(block);
  }

  private isInBlock(block: Cidr): boolean {
    return block.prefix < LARGEST_BLOCK[block.version] || block.contains(this.sender.address);
  }

  private get isVersion6(): boolean {
    return this.sender.address.includes(':');
  }

  private async find(name: string, type: DnsType): Promise<readonly string[]> {
    const records = await this.lookup(name, type);
    if (records.length === 0 && (this.voidLookups += 1) > MOST_VOID_LOOKUPS)
      throw this.invalid(`more than ${MOST_VOID_LOOKUPS} of its names do not exist`);
    return records;
  }

  private countLookup(): void {
    this.lookups += 1;
    if (this.lookups > MOST_LOOKUPS) throw this.invalid(`it needs more than ${MOST_LOOKUPS} lookups`);
  }

  private invalid(reason: string): InvalidSpf {
    return new InvalidSpf(reason, this.dependsOnSender);
  }

  /** RFC 7208, 7. A name that is too long loses labels from the left. */
  private expand(text: string, name: string): string {
    const expanded = text.replace(/%(?:([%_-])|\{([a-z])(\d*)(r?)([-.+,/_=]*)\})/gi, (_all, escaped, ...macro) =>
      escaped === undefined
        ? this.macro(macro.map(String), name)
        : ({ '%': '%', _: ' ', '-': '%20' }[String(escaped)] ?? ''),
    );
    const full = expanded.replace(/\.$/, '');
    return full.length <= LONGEST_NAME ? full : full.slice(full.indexOf('.', full.length - LONGEST_NAME - 1) + 1);
  }

  private macro([letter = '', count = '', order = '', delimiters = '']: string[], name: string): string {
    const { address, localPart, domain, helo } = this.sender;
    const values: Readonly<Record<string, string>> = {
      s: `${localPart}@${domain}`,
      l: localPart,
      o: domain,
      d: name,
      i: reversed(address),
      p: 'unknown',
      v: this.isVersion6 ? 'ip6' : 'in-addr',
      h: helo,
    };
    this.dependsOnSender ||= 'sliph'.includes(letter.toLowerCase());
    const separators = new RegExp(`[${(delimiters === '' ? '.' : delimiters).replace(/[-/]/g, '\\$&')}]`);
    const parts = (values[letter.toLowerCase()] ?? '').split(separators);
    if (order !== '') parts.reverse();
    const kept = (count === '' ? parts : parts.slice(-Number(count))).join('.');
    return letter === letter.toUpperCase() ? encodeURIComponent(kept) : kept;
  }
}
