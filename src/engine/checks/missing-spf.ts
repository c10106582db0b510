import { type Observation, notVulnerable, inconclusive, vulnerable } from '../check';
import type { Probe } from '../probe';
import { mailCheck } from '../protocols/dns/mail-check';

const SPF = /^v=spf1(?: |$)/i;
/** The limit of lookups after which a receiver gives up. */
const MOST_LOOKUPS = 10;
const DEMANDING = new Set(['-all', '~all']);
const TERM = /^[-~?+]?(?:all|include|a|mx|ptr|ip4|ip6|exists)(?:[:/].*)?$|^[a-z][\w.-]*=/;
const EVERYBODY = /^\+?(?:ip4:0\.0\.0\.0\/0|ip6:::\/0)$/;

/** The first included name that has no SPF record, which makes receivers refuse the whole; names with macros depend on the mail. */
async function deadInclude(terms: readonly string[], probe: Probe): Promise<string | null> {
  const names = terms.flatMap((term) => /^[-~?+]?include:([^%]+)$/.exec(term)?.[1] ?? []).slice(0, MOST_LOOKUPS);
  for (const name of names) {
    const { records } = await probe.dns(name, 'TXT');
    if (!records.some((one) => SPF.test(one))) return name;
  }
  return null;
}

async function policyOf(name: string, probe: Probe, lookups = 1): Promise<Observation> {
  const { records } = await probe.dns(name, 'TXT');
  const [record, ...others] = records.filter((one) => SPF.test(one));
  if (record === undefined) return vulnerable(`${name} has no SPF record.`);
  if (others.length > 0) return vulnerable(`${name} has ${others.length + 1} SPF records, so that receivers use none.`);
  const terms = record.toLowerCase().split(/\s+/);
  const all = terms.find((term) => /^[-~?+]?all$/.test(term));
  const said = `${name} says "${record}"`;
  const unknown = terms.slice(1).find((term) => term !== '' && !TERM.test(term));
  if (unknown !== undefined) return vulnerable(`${said}, which receivers refuse because of "${unknown}".`);
  const dead = await deadInclude(terms, probe);
  if (dead !== null) return vulnerable(`${said}, which receivers refuse because ${dead} has no SPF record.`);
  if (terms.some((term) => EVERYBODY.test(term))) return vulnerable(`${said}: any server may send.`);
  if (all !== undefined) return DEMANDING.has(all) ? notVulnerable(said) : vulnerable(`${said}: any server may send.`);
  const next = terms.find((term) => term.startsWith('redirect='))?.slice('redirect='.length);
  if (next === undefined) return vulnerable(`${said}, without a policy for other servers.`);
  if (next.includes('%')) return inconclusive(`${said}, which depends on who sends`);
  return lookups < MOST_LOOKUPS ? policyOf(next, probe, lookups + 1) : vulnerable(`${said}, with too many redirects.`);
}

export const missingSpf = mailCheck(
  {
    id: 'missing-spf',
    title: 'SPF is missing or allows any sender',
    severity: 'medium',
    cwe: [290],
    owasp: ['A07:2021', 'A07:2025'],
    wstg: [],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:N/I:L/A:N',
    references: [
      'https://www.rfc-editor.org/rfc/rfc7208',
      'https://www.ncsc.gov.uk/collection/email-security-and-anti-spoofing',
    ],
    decides:
      'Queries the TXT records of the domain and of the names that its SPF record refers to. It is vulnerable if there is no SPF record, several, an invalid one, or one that allows every server. It is fixed when one valid record ends in `-all` or `~all`, at every authoritative server.',
    text: `No valid SPF record says which servers send mail for this domain, or the record ends in a way that lets every other server
send as well. Anyone can send messages with this domain as the sender.

**How to fix it.** Publish exactly one TXT record at the domain that names the servers which send its mail and ends in \`-all\`
(or \`~all\` as long as you are not sure that the list is complete):

    v=spf1 include:_spf.your-provider.example -all

A domain that sends no mail has \`v=spf1 -all\`.`,
  },
  (host, probe) => policyOf(host, probe),
);
