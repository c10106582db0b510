import { certificate } from '../testing/certificate';
import { truthTable } from '../testing/truth-table';
import { expiredCertificate } from './expired-certificate';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const until = (ms: number, names?: readonly string[]) => ({
  tls: certificate({
    from: new Date(Date.now() - 400 * DAY),
    until: new Date(Date.now() + ms),
    ...(names && { names }),
  }),
});

truthTable(expiredCertificate, {
  vulnerable: until(-DAY),
  fixed: until(90 * DAY),
  alsoVulnerable: { 'it expired a minute ago': until(-MINUTE), 'it expired last year': until(-390 * DAY) },
  alsoFixed: { 'it expires in an hour': until(60 * MINUTE) },
  lookalikes: { 'the valid one is for another name': until(90 * DAY, ['other.test']) },
});
