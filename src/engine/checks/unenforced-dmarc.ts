import { notVulnerable, vulnerable } from '../check';
import { dmarcOf } from '../protocols/dns/dmarc';
import { mailCheck } from '../protocols/dns/mail-check';

const ENFORCING = new Set(['quarantine', 'reject']);

export const unenforcedDmarc = mailCheck(
  {
    id: 'unenforced-dmarc',
    title: 'DMARC does not ask for forged mail to be refused',
    severity: 'low',
    cwe: 290,
    text: `Receivers are not asked to do anything about messages that carry this domain as their sender and were not sent by it: the
policy is \`none\`, holds for a part of the messages only, or there is none. Reports show the forgeries, and they are
delivered all the same.

**How to fix it.** When the reports show that all of your own mail passes SPF or DKIM, change the policy of the record at
\`_dmarc\` to \`p=quarantine\`, later to \`p=reject\`, without \`pct\`. Names below the domain follow \`sp\` where it is set, so
change that too.`,
  },
  async (host, probe) => {
    const { tags, reason, inherited } = await dmarcOf(host, probe);
    if (tags === null) return vulnerable(`${reason}.`);
    const policy = (inherited ? tags.get('sp') : undefined) ?? tags.get('p') ?? 'none';
    if (!ENFORCING.has(policy)) return vulnerable(`${reason}: forged mail is delivered.`);
    return Number(tags.get('pct') ?? 100) < 100
      ? vulnerable(`${reason}: a part of forged mail is delivered.`)
      : notVulnerable(reason);
  },
);
