import { notVulnerable, vulnerable } from '../check';
import { certificateCheck, dayOf } from '../protocols/tls/certificate-check';

const DAY = 86_400_000;
/** Whatever renews by itself has done so by then, also where certificates live for 45 days only. */
const ENOUGH_DAYS = 14;

export const expiringCertificate = certificateCheck(
  {
    id: 'expiring-certificate',
    title: 'The TLS certificate is due for renewal',
    severity: 'low',
    cwe: 298,
    text: `Less than two weeks are left of the certificate's time. Renewal by machine happens well before that, so it has probably
stopped working, or there is none. When the time is over browsers warn every visitor and other programs refuse to connect.

**How to fix it.** Renew the certificate now and reload the server. Then find out why it was not renewed by itself: the log
of the ACME client, its timer, a challenge that no longer gets through.`,
  },
  ({ until }) => {
    const days = Math.floor((until.getTime() - Date.now()) / DAY);
    if (days < 0) return vulnerable(`The certificate was not renewed before it expired on ${dayOf(until)}.`);
    if (days < ENOUGH_DAYS) return vulnerable(`The certificate expires on ${dayOf(until)}, in ${days} days.`);
    return notVulnerable(`The certificate is valid for ${days} more days`);
  },
);
