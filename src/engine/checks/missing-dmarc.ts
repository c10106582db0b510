import { notVulnerable, vulnerable } from '../check';
import { dmarcOf } from '../protocols/dns/dmarc';
import { mailCheck } from '../protocols/dns/mail-check';

export const missingDmarc = mailCheck(
  {
    id: 'missing-dmarc',
    title: 'There is no DMARC record',
    severity: 'medium',
    cwe: [290],
    owasp: ['A07:2021', 'A07:2025'],
    wstg: [],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:N/I:L/A:N',
    references: ['https://www.rfc-editor.org/rfc/rfc7489', 'https://dmarc.org/overview/'],
    decides:
      'Queries the TXT record of `_dmarc` under the host and under its domain. It is vulnerable if there is no valid DMARC record. It is fixed when there is exactly one valid record, at every authoritative server.',
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
