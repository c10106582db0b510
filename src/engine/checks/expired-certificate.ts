import { dayOf } from '../../kernel/day';
import { notVulnerable, vulnerable } from '../check';
import { certificateCheck } from '../protocols/tls/certificate-check';

export const expiredCertificate = certificateCheck(
  {
    id: 'expired-certificate',
    title: 'The TLS certificate has expired',
    severity: 'medium',
    cwe: [298, 324],
    owasp: ['A02:2021', 'A04:2025'],
    wstg: ['WSTG-CRYP-01'],
    cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:N',
    references: ['https://www.rfc-editor.org/rfc/rfc5280#section-4.1.2.5', 'https://letsencrypt.org/docs/'],
    decides:
      'Reads the certificate of the TLS handshake. It is vulnerable if its expiration date has passed. It is fixed when every address of the host presents a certificate that has not expired.',
    text: `The certificate is no longer valid. Browsers warn every visitor, and other programs refuse to connect. Visitors who get
used to the warning will also ignore it for a forged certificate.

**How to fix it.** Renew the certificate, install it on every server that answers for this name, and reload them: a renewed
file that the running server has not read changes nothing. Automate the renewal (ACME), and monitor the
expiration date.`,
  },
  ({ until }) =>
    until.getTime() < Date.now()
      ? vulnerable(`The certificate expired on ${dayOf(until)}.`)
      : notVulnerable(`The certificate is valid until ${dayOf(until)}`),
);
