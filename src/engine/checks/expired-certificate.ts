import { notVulnerable, vulnerable } from '../check';
import { certificateCheck, dayOf } from '../protocols/tls/certificate-check';

export const expiredCertificate = certificateCheck(
  {
    id: 'expired-certificate',
    title: 'The TLS certificate has expired',
    severity: 'medium',
    cwe: 298,
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
