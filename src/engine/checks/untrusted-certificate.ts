import { type Observation, notVulnerable, inconclusive, vulnerable } from '../check';
import { certificateCheck, type ShownCertificate } from '../protocols/tls/certificate-check';

const REASONS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'its chain ends in an authority that nobody trusts by default',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate of its issuer is not sent along and not known',
  UNABLE_TO_GET_ISSUER_CERT: 'the certificate of its issuer is not sent along and not known',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate of its issuer is not sent along and not known',
};

/** Of all problems of a chain only the last is told, and dates are looked at last. */
const DATES = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);

function outOfDate({ from, until, subject, issuer }: ShownCertificate): Observation {
  const now = Date.now();
  if (subject === issuer)
    return vulnerable(`Nobody vouches for the certificate: ${REASONS['DEPTH_ZERO_SELF_SIGNED_CERT']}.`);
  if (from.getTime() <= now && until.getTime() >= now)
    return vulnerable('A certificate of the chain is not valid at this time, so nobody vouches for the last one.');
  return inconclusive('the certificate is not valid at this time, which hides whether an authority vouches for it');
}

export const untrustedCertificate = certificateCheck(
  {
    id: 'untrusted-certificate',
    title: 'No trusted authority vouches for the TLS certificate',
    severity: 'medium',
    cwe: 295,
    text: `The certificate is signed by itself, by an authority that clients do not know, or the server leaves out a certificate
in between. Clients cannot tell this server from somebody who pretends to be it: browsers warn every visitor, and programs
that are told to connect all the same accept any certificate, a forged one too.

**How to fix it.** Use a certificate of a public authority (with ACME it costs nothing), and let the server send the whole
chain: in nginx \`ssl_certificate\` is the file with the certificate and, after it, those in between (\`fullchain.pem\`). For
names that are used inside only, an authority of your own is enough if all clients know it; accept the risk here then, since
this test knows the public authorities only.`,
  },
  (certificate, { trusted, problem }) => {
    if (trusted) return notVulnerable('A trusted authority vouches for the certificate');
    if (problem === null) return inconclusive('what is wrong with the certificate cannot be told');
    if (problem === 'ERR_TLS_CERT_ALTNAME_INVALID')
      return notVulnerable('A trusted authority vouches for the certificate, although for another name');
    if (DATES.has(problem)) return outOfDate(certificate);
    const reason = REASONS[problem] ?? problem.replaceAll('_', ' ').toLowerCase();
    return vulnerable(`Nobody vouches for the certificate: ${reason}.`);
  },
);
