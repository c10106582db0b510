import { notVulnerable, vulnerable } from '../check';
import { dmarcOf } from '../protocols/dns/dmarc';
import { mailCheck } from '../protocols/dns/mail-check';

export const missingDmarc = mailCheck(
  {
    id: 'missing-dmarc',
    title: 'There is no DMARC record',
    severity: 'medium',
    cwe: 290,
    text: `Without a DMARC record receivers do not know what to do with messages that forge this domain as their sender.
SPF and DKIM alone do not protect the sender that people see. Forged invoices and password mails get through.

**How to fix it.** Begin by collecting reports, as a TXT record of \`_dmarc\` under the domain:

    v=DMARC1; p=none; rua=mailto:dmarc@example.com

When the reports show that all of your own mail passes, go on to \`p=quarantine\` and \`p=reject\`. A domain that sends no mail
can have \`v=DMARC1; p=reject\` at once.`,
  },
  async (host, probe) => {
    const { tags, reason } = await dmarcOf(host, probe);
    return tags === null ? vulnerable(`${reason}.`) : notVulnerable(reason);
  },
);
