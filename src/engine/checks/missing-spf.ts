import { createHmac, randomBytes } from 'node:crypto';
import { type Observation, inconclusive, notVulnerable, vulnerable } from '../check';
import type { Probe } from '../probe';
import { mailCheck } from '../protocols/dns/mail-check';
import { type Lookup, type Sender, SpfEvaluation, type SpfResult } from '../protocols/dns/spf-evaluation';
import { InvalidSpf, isSpf } from '../protocols/dns/spf-record';

const SECRET = randomBytes(32);

/**
 * Three senders with reserved addresses (240.0.0.0/4), which no record lists. Each probe uses the same ones, so that the names
 * that macros make of them are queried only once.
 */
const senders = (domain: string): Sender[] =>
  [240, 247, 254].map((first) => {
    const random = createHmac('sha256', SECRET).update(`${first} ${domain}`).digest();
    return {
      address: `${first}.${random.subarray(0, 3).join('.')}`,
      localPart: random.toString('hex', 3, 9),
      domain,
      helo: `${random.toString('hex', 9, 15)}.example`,
    };
  });

/** Looks up the records of names, each only once. */
function lookupOnce(probe: Probe): Lookup {
  const known = new Map<string, Promise<readonly string[]>>();
  return (name, type) => {
    const key = `${type} ${name}`;
    const records = known.get(key) ?? probe.dns(name, type).then((answer) => answer.records);
    known.set(key, records);
    return records;
  };
}

async function policyOf(name: string, probe: Probe): Promise<Observation> {
  const lookup = lookupOnce(probe);
  const [record, ...others] = (await lookup(name, 'TXT')).filter(isSpf);
  if (record === undefined) return vulnerable(`${name} has no SPF record.`);
  if (others.length > 0) return vulnerable(`${name} has ${others.length + 1} SPF records, so that receivers use none.`);
  const said = `${name} says "${record}"`;
  const results = new Set<SpfResult>();
  for (const sender of senders(name)) {
    try {
      results.add(await new SpfEvaluation(sender, lookup).resultOf(name));
    } catch (error) {
      if (!(error instanceof InvalidSpf)) throw error;
      if (error.dependsOnSender) return inconclusive(`${said}, which depends on who sends`);
      return vulnerable(`${said}, which receivers refuse: ${error.message}.`);
    }
  }
  const [result, ...more] = results;
  if (results.has('pass'))
    return more.length > 0
      ? inconclusive(`${said}, which depends on who sends`)
      : vulnerable(`${said}: any server may send.`);
  return result === 'neutral' ? vulnerable(`${said}, without a policy for other servers.`) : notVulnerable(said);
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
      'Judges three made-up senders by the SPF record of the domain, as receivers do: with all names that it refers to, at most ten lookups and two names that do not exist. It is vulnerable if there is no record, several, one that receivers refuse, or one that allows these senders or says nothing about them. It is fixed when all are refused (`-all` or `~all`), at every authoritative server.',
    text: `No valid SPF record says which servers send mail for this domain, or the record ends in a way that lets every other server
send as well. Anyone can send messages with this domain as the sender.

**How to fix it.** Publish exactly one TXT record at the domain that names the servers which send its mail and ends in \`-all\`
(or \`~all\` as long as you are not sure that the list is complete):

    v=spf1 include:_spf.your-provider.example -all

A domain that sends no mail has \`v=spf1 -all\`.`,
  },
  (host, probe) => policyOf(host, probe),
);
