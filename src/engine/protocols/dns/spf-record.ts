import { isIPv4, isIPv6 } from 'node:net';
import { Cidr } from '../../../kernel/cidr';

/** The result of a mechanism for the senders that it matches. */
export const SPF_QUALIFIERS = { '+': 'pass', '-': 'fail', '~': 'softfail', '?': 'neutral' } as const;

export type SpfQualifier = keyof typeof SPF_QUALIFIERS;

export interface SpfMechanism {
  readonly kind: 'all' | 'include' | 'a' | 'mx' | 'ptr' | 'exists' | 'ip';
  readonly qualifier: SpfQualifier;
  /** May contain macros. Null for the evaluated name. */
  readonly domain: string | null;
  /** The prefix lengths for the IPv4 and IPv6 addresses of `a` and `mx`. */
  readonly prefix: number;
  readonly prefix6: number;
  readonly network: Cidr | null;
}

export interface SpfRecord {
  readonly mechanisms: readonly SpfMechanism[];
  readonly redirect: string | null;
}

/** A record that receivers refuse as a whole (permerror). */
export class InvalidSpf extends Error {
  constructor(
    message: string,
    /** A name that depends on the sender was queried, so other senders may get another result. */
    readonly dependsOnSender = false,
  ) {
    super(message);
  }
}

export const isSpf = (text: string): boolean => /^v=spf1(?: |$)/i.test(text);

const MACRO = /%\{[slodiphcrtv]\d*r?[-.+,/_=]*\}|%%|%_|%-/gi;
const ZERO = /%\{[a-z]0/i;

/** Whether every percent sign belongs to a macro. The letters c, r and t are only allowed in explanations. */
const isMacroString = (text: string): boolean =>
  /^[\x21-\x7e]*$/.test(text) && !text.replace(MACRO, '').includes('%') && !ZERO.test(text) && !/%\{[crt]/i.test(text);

/** Whether it ends in a macro or a top-level label, which contains a letter or a hyphen. */
const isDomainSpec = (text: string): boolean =>
  isMacroString(text) && /(?:%\{[^{}]*\}|%%|%_|%-|\.(?=\d*[a-z-])[a-z\d](?:[a-z\d-]*[a-z\d])?\.?)$/i.test(text);

const within = (text: string | undefined, most: number): number => {
  if (text === undefined) return most;
  const number = /^(?:0|[1-9]\d{0,2})$/.test(text) ? Number(text) : NaN;
  if (!(number <= most)) throw new InvalidSpf(`the prefix /${text} is not valid`);
  return number;
};

function networkOf(term: string, value: string, kind: string): Cidr {
  const [, address = '', prefix] = /^([^/]*)(?:\/(.*))?$/.exec(value) ?? [];
  const isVersion4 = kind === 'ip4';
  if (!(isVersion4 ? isIPv4(address) : isIPv6(address) && !address.includes('%')))
    throw new InvalidSpf(`"${term}" names no address`);
  const bits = within(prefix, isVersion4 ? 32 : 128);
  // Bits after the prefix are allowed here.
  const [block] = Cidr.containing(address).slice(isVersion4 || !address.includes('.') ? bits : bits - 96);
  if (block === undefined) throw new InvalidSpf(`"${term}" names no block of addresses`);
  return block;
}

const plain = { domain: null, prefix: 32, prefix6: 128, network: null };

function domainOf(term: string, value: string | undefined): string {
  if (value === undefined || !isDomainSpec(value)) throw new InvalidSpf(`"${term}" names no domain`);
  return value;
}

function mechanismOf(term: string): SpfMechanism {
  const [, sign = '+', name = '', rest = ''] = /^([-+~?]?)([a-z\d]+)(.*)$/is.exec(term) ?? [];
  const qualifier = (sign === '' ? '+' : sign) as SpfQualifier;
  const value = rest.startsWith(':') ? rest.slice(1) : undefined;
  const kind = name.toLowerCase();
  switch (kind) {
    case 'all':
      if (rest !== '') break;
      return { ...plain, kind, qualifier };
    case 'include':
    case 'exists':
      return { ...plain, kind, qualifier, domain: domainOf(term, value) };
    case 'ptr':
      if (rest !== '' && value === undefined) break;
      return { ...plain, kind, qualifier, domain: rest === '' ? null : domainOf(term, value) };
    case 'ip4':
    case 'ip6':
      return { ...plain, kind: 'ip', qualifier, network: networkOf(term, value ?? '', kind) };
    case 'a':
    case 'mx': {
      const [, domain, prefix, prefix6] = /^(?::(.*?))?(?:\/(\d+))?(?:\/\/(\d+))?$/.exec(rest) ?? [];
      if (rest !== '' && domain === undefined && prefix === undefined && prefix6 === undefined) break;
      return {
        ...plain,
        kind,
        qualifier,
        domain: domain === undefined ? null : domainOf(term, domain),
        prefix: within(prefix, 32),
        prefix6: within(prefix6, 128),
      };
    }
  }
  throw new InvalidSpf(`receivers do not know "${term}"`);
}

/** Receivers parse the whole record before they evaluate a sender, so any mistake makes it invalid. */
export function parseSpf(record: string): SpfRecord {
  const mechanisms: SpfMechanism[] = [];
  const modifiers = new Map<string, string>();
  for (const term of record
    .split(' ')
    .slice(1)
    .filter((one) => one !== '')) {
    const [, name, value = ''] = /^([a-z][\w.-]*)=(.*)$/i.exec(term) ?? [];
    if (name === undefined) {
      mechanisms.push(mechanismOf(term));
      continue;
    }
    const key = name.toLowerCase();
    if (key === 'redirect' || key === 'exp') {
      if (modifiers.has(key)) throw new InvalidSpf(`there are two "${key}="`);
      modifiers.set(key, domainOf(term, value));
    } else if (!isMacroString(value)) throw new InvalidSpf(`"${term}" is not valid`);
  }
  return { mechanisms, redirect: modifiers.get('redirect') ?? null };
}
