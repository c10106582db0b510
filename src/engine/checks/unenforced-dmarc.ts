import { notVulnerable, vulnerable } from '../check';
import { dmarcOf } from '../protocols/dns/dmarc';
import { mailCheck } from '../protocols/dns/mail-check';

const ENFORCING = new Set(['quarantine', 'reject']);

export const unenforcedDmarc = mailCheck(
  {
    id: 'unenforced-dmarc',
    title: 'DMARC does not reject forged mail',
    severity: 'low',
    cwe: [290],
    owasp: ['A07:2021', 'A07:2025'],
    wstg: [],
    cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:L/A:N',
    references: ['https://www.rfc-editor.org/rfc/rfc7489', 'https://dmarc.org/overview/'],
    decides:
      'Queries the DMARC record that applies to the host. It is vulnerable if the policy is `none` or missing, or `pct` limits it to a part of the messages. It is fixed when the policy is `quarantine` or `reject` for all messages, at every authoritative server.',
    text: `The DMARC record does not ask receivers to reject messages that forge this domain as their sender: the policy is
\`none\`, applies to only a part of the messages, or is missing. The forged messages appear in reports, but they are
delivered.

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
