import { type Observation, inconclusive, type WebCheck } from '../../check';
import type { CertificateFacts, TlsFacts } from '../../transport/exchange';

type About = Omit<WebCheck, 'on' | 'observe'>;

export interface ShownCertificate extends Omit<CertificateFacts, 'from' | 'until'> {
  readonly from: Date;
  readonly until: Date;
}

/** A check of the certificate that the target presented for its page, so nothing else is requested. */
export function certificateCheck(
  about: About,
  judge: (certificate: ShownCertificate, tls: TlsFacts) => Observation,
): WebCheck {
  return {
    ...about,
    on: 'tls',
    judgesCertificate: true,
    observe({ page: { tls } }) {
      if (!tls?.certificate) return inconclusive('the handshake showed no certificate');
      const from = new Date(tls.certificate.from);
      const until = new Date(tls.certificate.until);
      if (Number.isNaN(from.getTime() + until.getTime()))
        return inconclusive('the dates of the certificate are not readable');
      return judge({ ...tls.certificate, from, until }, tls);
    },
  };
}
