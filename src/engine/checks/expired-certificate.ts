import { notVulnerable, vulnerable } from '../check';
import { certificateCheck, dayOf } from '../protocols/tls/certificate-check';

export const expiredCertificate = certificateCheck(
  {
    id: 'expired-certificate',
    title: 'The TLS certificate has expired',
    severity: 'medium',
    cwe: 298,
    text: `The time for which the certificate was issued is over. Browsers warn every visitor, other programs refuse to connect,
and people who learn to click the warning away will do so in front of a forged certificate as well.

**How to fix it.** Renew the certificate, install it on every server that answers for this name, and reload them: a renewed
file that the running server has not read changes nothing. Let it be renewed by itself from now on (ACME), and watch the
date from outside.`,
  },
  ({ until }) =>
    until.getTime() < Date.now()
      ? vulnerable(`The certificate expired on ${dayOf(until)}.`)
      : notVulnerable(`The certificate is valid until ${dayOf(until)}`),
);
