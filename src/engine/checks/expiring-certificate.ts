import { dayOf } from '../../kernel/day';
import { DAY_MS } from '../../kernel/durations';
import { notVulnerable, vulnerable } from '../check';
import { certificateCheck } from '../protocols/tls/certificate-check';

/** Automatic renewal happens earlier, even for certificates with a lifetime of 45 days. */
const ENOUGH_DAYS = 14;

export const expiringCertificate = certificateCheck(
  {
    id: 'expiring-certificate',
    title: 'The TLS certificate is due for renewal',
    severity: 'low',
    cwe: [298],
    owasp: ['A02:2021', 'A04:2025'],
    wstg: ['WSTG-CRYP-01'],
    cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:N/A:L',
    references: [
      'https://www.rfc-editor.org/rfc/rfc5280#section-4.1.2.5',
      'https://letsencrypt.org/docs/integration-guide/',
    ],
    decides:
      'Reads the certificate of the TLS handshake. It is vulnerable if the certificate expires in less than 14 days. It is fixed when every address of the host presents a certificate that is valid for longer.',
    text: `The certificate expires in less than two weeks. Automatic renewal happens earlier, so it has probably stopped working, or
does not exist. After the expiration browsers warn every visitor, and other programs refuse to connect.

**How to fix it.** Renew the certificate now and reload the server. Then find out why it was not renewed automatically: check
the log of the ACME client, its timer and the challenge.`,
  },
  ({ until }) => {
    const days = Math.floor((until.getTime() - Date.now()) / DAY_MS);
    if (days < 0) return vulnerable(`The certificate was not renewed before it expired on ${dayOf(until)}.`);
    if (days < ENOUGH_DAYS) return vulnerable(`The certificate expires on ${dayOf(until)}, in ${days} days.`);
    return notVulnerable(`The certificate is valid for ${days} more days`);
  },
);
