import type { CertificateFacts } from '../../../engine';
import { DAY_MS } from '../../../kernel/durations';
import type { Change, KnownPort } from './asset-change';

/** How many days before its end a change reports that a certificate expires. */
export const EXPIRY_DAYS = [3, 14, 30] as const;

export type CertificateChange = Omit<Change, 'address' | 'port'>;

interface CertificateDifferences {
  readonly certificate: CertificateFacts | null;
  readonly notifiedDays: number | null;
  readonly changes: readonly CertificateChange[];
}

const shown = ({ subject, issuer, sha256, until }: CertificateFacts) => ({ subject, issuer, sha256, until });

/** `before` is null for a port that was not open. A handshake that failed this time says nothing about the certificate. */
export function certificateChanges(
  before: Pick<KnownPort, 'certificate' | 'notifiedDays'> | null,
  seen: CertificateFacts | null,
  at: Date,
): CertificateDifferences {
  const certificate = seen ?? before?.certificate ?? null;
  if (certificate === null) return { certificate, notifiedDays: null, changes: [] };
  const known = before?.certificate ?? null;
  const isSame = known?.sha256 === certificate.sha256;
  const replaced: CertificateChange[] =
    known === null || isSame ? [] : [{ kind: 'certificate_replaced', before: shown(known), after: shown(certificate) }];
  const notifiedDays = isSame ? (before?.notifiedDays ?? null) : null;
  const days = (Date.parse(certificate.until) - at.getTime()) / DAY_MS;
  const reached = EXPIRY_DAYS.find((most) => days <= most) ?? null;
  if (reached === null || (notifiedDays !== null && notifiedDays <= reached))
    return { certificate, notifiedDays, changes: replaced };
  const expires: CertificateChange = {
    kind: 'certificate_expires',
    before: null,
    after: { ...shown(certificate), days: reached },
  };
  return { certificate, notifiedDays: reached, changes: [...replaced, expires] };
}
