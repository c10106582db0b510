import { notVulnerable, vulnerable } from '../check';
import { certificateCheck, dayOf } from '../protocols/tls/certificate-check';

export const prematureCertificate = certificateCheck(
  {
    id: 'premature-certificate',
    title: 'The TLS certificate is not yet valid',
    severity: 'medium',
    cwe: 295,
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
