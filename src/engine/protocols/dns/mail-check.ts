import { getDomain } from 'tldts';
import { type DnsCheck, type Observation, inconclusive, notVulnerable } from '../../check';
import type { Probe } from '../../probe';

type About = Omit<DnsCheck, 'on' | 'observe'>;

/** The registered domain of a name. */
export const domainOf = (host: string): string => getDomain(host) ?? host;

/**
 * A check of a mail policy in the DNS. It tests every domain, whether it is used for mail or not, and names below a domain if
 * they receive mail.
 */
export const mailCheck = (about: About, judge: (host: string, probe: Probe) => Promise<Observation>): DnsCheck => ({
  ...about,
  on: 'dns',
  async observe({ target: { host }, probe, isRetest }) {
    const domain = domainOf(host);
    if (host !== domain && (await probe.dns(host, 'MX')).state === 'none') {
      // Names without an MX record can still send mail, and this one had a record when the weakness was seen.
      return isRetest
        ? inconclusive(`${host} takes no mail any more, but may still send it`)
        : notVulnerable(`${host} takes no mail, and is only a part of ${domain}`);
    }
    return judge(host, probe);
  },
});
