import { type DnsCheck, notVulnerable, inconclusive, vulnerable } from '../check';
import type { Probe } from '../probe';
import { domainOf } from '../protocols/dns/mail-check';

const MOST_ALIASES = 8;
/** A name without any of these records is treated as missing. */
const TYPES = ['A', 'AAAA', 'TXT', 'MX', 'NS', 'SOA'] as const;

async function exists(name: string, probe: Probe, types: readonly (typeof TYPES)[number][] = TYPES): Promise<boolean> {
  for (const type of types) if ((await probe.dns(name, type)).state === 'found') return true;
  return false;
}

/** The names in the chain of aliases; null if the chain is too long. */
async function aliasesOf(host: string, probe: Probe): Promise<readonly string[] | null> {
  const aliases: string[] = [];
  while (aliases.length <= MOST_ALIASES) {
    const [next] = (await probe.dns(aliases.at(-1) ?? host, 'CNAME')).records;
    if (next === undefined) return aliases;
    aliases.push(next.toLowerCase());
  }
  return null;
}

export const danglingCname: DnsCheck = {
  id: 'dangling-cname',
  title: 'Dangling CNAME (subdomain takeover): the alias leads to a name that does not exist',
  severity: 'high',
  cwe: [672],
  owasp: ['A05:2021', 'A02:2025'],
  wstg: ['WSTG-CONF-10'],
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:L/I:L/A:N',
  references: [
    'https://developer.mozilla.org/en-US/docs/Web/Security/Attacks/Subdomain_takeover',
    'https://github.com/EdOverflow/can-i-take-over-xyz',
  ],
  decides:
    'Follows the CNAME records of the host to their end. It is vulnerable if the last name has no records at all. It is fixed when the alias is gone or leads to another name, which exists, at every authoritative server. If the old name exists again, it is inconclusive: an attacker may have registered it.',
  text: `The name is an alias (CNAME) of a name that no longer exists: a deleted cloud service or an expired domain.
An attacker who registers that name receives all requests to yours: they can publish pages
under your name, obtain certificates for it, and read the cookies that your domain shares with its subdomains.

**How to fix it.** Delete the CNAME record, or let it lead to another name. If you create the service again under the same
name, a retest cannot see that it is yours. In future, delete the DNS record before the service.`,
  on: 'dns',
  async observe({ target: { host }, probe, alias }) {
    const aliases = await aliasesOf(host, probe);
    if (aliases === null) return inconclusive(`the aliases of ${host} have no end`);
    const end = aliases.at(-1);
    if (end === undefined) return notVulnerable(`${host} is not an alias`);
    if (await exists(end, probe))
      return alias !== null && aliases.includes(alias)
        ? inconclusive(`${host} is still an alias of ${alias}, which exists again: an attacker may have registered it`)
        : notVulnerable(`${host} is an alias of ${end}, which exists`);
    const domain = domainOf(end);
    const free = !(await exists(domain, probe, ['SOA', 'NS']));
    const detail = `${host} is an alias of ${end}, which does not exist`;
    return { ...vulnerable(`${detail}${free ? `; nor does ${domain}, which anyone can register` : ''}.`), alias: end };
  },
};
