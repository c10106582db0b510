import { dayOf } from '../../kernel/day';
import { notVulnerable, vulnerable } from '../check';
import { certificateCheck } from '../protocols/tls/certificate-check';

export const prematureCertificate = certificateCheck(
  {
    id: 'premature-certificate',
    title: 'The TLS certificate is not yet valid',
    severity: 'medium',
    cwe: [295],
    owasp: ['A02:2021', 'A04:2025'],
    wstg: ['WSTG-CRYP-01'],
    cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:N',
    references: ['https://www.rfc-editor.org/rfc/rfc5280#section-4.1.2.5'],
    decides:
      'Reads the certificate of the TLS handshake. It is vulnerable if its validity begins in the future. It is fixed when every address of the host presents a certificate whose validity has begun.',
    text: `The certificate is not valid yet. Browsers warn every visitor, and other programs refuse to connect, as with an expired
certificate.

**How to fix it.** Put the previous certificate back until the new one is valid, or have one issued that is valid from
now on. If it is from your own authority, check the clock of the signing machine.`,
  },
  ({ from }) =>
    from.getTime() > Date.now()
      ? vulnerable(`The certificate is valid from ${dayOf(from)} on, and not before.`)
      : notVulnerable(`The certificate has been valid since ${dayOf(from)}`),
);
