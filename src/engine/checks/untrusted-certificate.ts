import { type Observation, notVulnerable, inconclusive, vulnerable } from '../check';
import { certificateCheck, type ShownCertificate } from '../protocols/tls/certificate-check';

const REASONS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its chain ends in an authority that clients do not trust by default',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate of its issuer is not sent along and not known',
  UNABLE_TO_GET_ISSUER_CERT: 'the certificate of its issuer is not sent along and not known',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate of its issuer is not sent along and not known',
};

/** Node reports only the last problem of a chain, and validates dates last. */
const DATES = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);

function outOfDate({ from, until, subject, issuer }: ShownCertificate): Observation {
  const now = Date.now();
  if (subject === issuer)
    return vulnerable(`The certificate is not trusted: ${REASONS['DEPTH_ZERO_SELF_SIGNED_CERT']}.`);
  if (from.getTime() <= now && until.getTime() >= now)
    return vulnerable('The certificate is not trusted: a certificate of its chain is not valid at this time.');
  return inconclusive('the certificate is not valid at this time, so its trust cannot be determined');
}

export const untrustedCertificate = certificateCheck(
  {
    id: 'untrusted-certificate',
    title: 'The TLS certificate is not trusted',
    severity: 'medium',
    cwe: [295],
    owasp: ['A02:2021', 'A04:2025'],
    wstg: ['WSTG-CRYP-01'],
    cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:L/A:N',
    references: [
      'https://www.rfc-editor.org/rfc/rfc5280#section-6',
      'https://wiki.mozilla.org/Security/Server_Side_TLS',
      'https://letsencrypt.org/docs/',
    ],
    decides:
      'Validates the certificate chain of the TLS handshake against the public authorities. It is vulnerable if the certificate is self-signed, its authority is unknown, or the chain is incomplete. It is fixed when the chain leads to a trusted authority.',
    text: `The certificate is self-signed, signed by an unknown authority, or the server does not send an intermediate certificate.
Clients cannot distinguish this server from an attacker: browsers warn every visitor, and programs that are configured
to ignore the problem accept any certificate, including forged ones.

**How to fix it.** Use a certificate of a public authority (with ACME it costs nothing), and let the server send the whole
chain: in nginx \`ssl_certificate\` is the file with the certificate and, after it, those in between (\`fullchain.pem\`). For
names that are used inside only, an authority of your own is enough if all clients know it; accept the risk here then, since
this test knows the public authorities only.`,
  },
  (certificate, { trusted, problem }) => {
    if (trusted) return notVulnerable('A trusted authority issued the certificate');
    if (problem === null) return inconclusive('the problem of the certificate cannot be determined');
    if (problem === 'ERR_TLS_CERT_ALTNAME_INVALID')
      return notVulnerable('A trusted authority issued the certificate, but for another name');
    if (DATES.has(problem)) return outOfDate(certificate);
    const reason = REASONS[problem] ?? problem.replaceAll('_', ' ').toLowerCase();
    return vulnerable(`The certificate is not trusted: ${reason}.`);
  },
);
