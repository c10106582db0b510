import { certificate } from '../testing/certificate';
import { truthTable } from '../testing/truth-table';
import { expiringCertificate } from './expiring-certificate';

const DAY = 86_400_000;
const daysLeft = (days: number, names?: readonly string[]) => ({
  tls: certificate({
    from: new Date(Date.now() - 50 * DAY),
    until: new Date(Date.now() + days * DAY),
    ...(names && { names }),
  }),
});

truthTable(expiringCertificate, {
  vulnerable: daysLeft(5),
  fixed: daysLeft(90),
  alsoVulnerable: {
    'less than two weeks are left': daysLeft(13.9),
    'a few hours are left': daysLeft(0.2),
    'it has expired meanwhile': daysLeft(-3),
  },
  alsoFixed: { 'two weeks are left': daysLeft(14.1) },
  lookalikes: { 'the renewed one is for another name': daysLeft(90, ['other.test']) },
});
