import { type DnsCheck, notVulnerable, inconclusive, vulnerable } from '../check';
import type { Probe } from '../probe';
import { domainOf } from '../protocols/dns/mail-check';

const MOST_ALIASES = 8;
/** A name that has none of these is not there, as far as anybody can tell. */
const TYPES = ['A', 'AAAA', 'TXT', 'MX', 'NS', 'SOA'] as const;

async function exists(name: string, probe: Probe, types: readonly (typeof TYPES)[number][] = TYPES): Promise<boolean> {
  for (const type of types) if ((await probe.dns(name, type)).state === 'found') return true;
  return false;
}

/** Where the aliases end; null when they go on and on. */
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
  cwe: 672,
  text: `The name is an alias (CNAME) of another one that is no longer there: a cloud service that was given up, a domain that was not
renewed. Whoever registers that other name at the provider gets everything that is sent to yours: they can publish pages
under your name, obtain certificates for it, and read the cookies that your domain shares with its subdomains.

**How to fix it.** Delete the CNAME record, or set up the service that it leads to again under the same name. Make it a habit
to delete the DNS entry first and the service after it.`,
  on: 'dns',
  async observe({ target: { host }, probe }) {
    const end = await endOf(host, probe);
    if (end === null) return inconclusive(`the aliases of ${host} lead on and on`);
    if (end === host) return notVulnerable(`${host} is not an alias`);
    if (await exists(end, probe)) return notVulnerable(`${host} is an alias of ${end}, which exists`);
    const domain = domainOf(end);
    const free = !(await exists(domain, probe, ['SOA', 'NS']));
    return vulnerable(
      `${host} is an alias of ${end}, which does not exist${free ? `; nor does ${domain}, which anybody may register` : ''}.`,
    );
  },
};
