import { notVulnerable, vulnerable } from '../check';
import { certificateCheck, dayOf } from '../protocols/tls/certificate-check';

export const prematureCertificate = certificateCheck(
  {
    id: 'premature-certificate',
    title: 'The TLS certificate is not yet valid',
    severity: 'medium',
    cwe: 295,
    text: `The time for which the certificate was issued has not begun. Until then it counts as little as an expired one: browsers
warn every visitor, and other programs refuse to connect.

**How to fix it.** Put the previous certificate back until the new one is valid, or have one issued that is valid from
now on. If it came from an authority of your own, look at the clock of the machine that signs.`,
  },
  ({ from }) =>
    from.getTime() > Date.now()
      ? vulnerable(`The certificate is valid from ${dayOf(from)} on, and not before.`)
      : notVulnerable(`The certificate has been valid since ${dayOf(from)}`),
);
