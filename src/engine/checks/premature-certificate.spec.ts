import { certificate } from '../testing/certificate';
import { truthTable } from '../testing/truth-table';
import { prematureCertificate } from './premature-certificate';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const from = (ms: number, names?: readonly string[]) => ({
  tls: certificate({ from: new Date(Date.now() + ms), ...(names && { names }) }),
});

truthTable(prematureCertificate, {
  vulnerable: from(DAY),
  fixed: from(-DAY),
  alsoVulnerable: { 'it begins in ten minutes': from(10 * MINUTE) },
  alsoFixed: { 'it began a minute ago': from(-MINUTE) },
  lookalikes: { 'the valid one is for another name': from(-DAY, ['other.test']) },
});
