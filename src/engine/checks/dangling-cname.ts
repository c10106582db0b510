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

/** The end of the chain of aliases; null when the chain is too long. */
async function endOf(host: string, probe: Probe): Promise<string | null> {
  let name = host;
  for (let aliases = 0; aliases <= MOST_ALIASES; aliases += 1) {
    const [next] = (await probe.dns(name, 'CNAME')).records;
    if (next === undefined) return name;
    name = next;
  }
  return null;
}

export const danglingCname: DnsCheck = {
  id: 'dangling-cname',
  title: 'A DNS alias leads to a name that does not exist',
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
    'Follows the CNAME records of the host to their end. It is vulnerable if the last name has no records at all. It is fixed when the alias is gone or leads to a name that exists, at every authoritative server.',
  text: `The name is an alias (CNAME) of a name that no longer exists: a deleted cloud service or an expired domain.
An attacker who registers that name receives all requests to yours: they can publish pages
under your name, obtain certificates for it, and read the cookies that your domain shares with its subdomains.

**How to fix it.** Delete the CNAME record, or create the service again under the same name. In future, delete
the DNS record before the service.`,
  on: 'dns',
  async observe({ target: { host }, probe }) {
    const end = await endOf(host, probe);
    if (end === null) return inconclusive(`the aliases of ${host} have no end`);
    if (end === host) return notVulnerable(`${host} is not an alias`);
    if (await exists(end, probe)) return notVulnerable(`${host} is an alias of ${end}, which exists`);
    const domain = domainOf(end);
    const free = !(await exists(domain, probe, ['SOA', 'NS']));
    return vulnerable(
      `${host} is an alias of ${end}, which does not exist${free ? `; nor does ${domain}, which anyone can register` : ''}.`,
    );
  },
};
