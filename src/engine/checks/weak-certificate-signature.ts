import { notVulnerable, inconclusive, vulnerable } from '../check';
import type { CertificateLink } from '../transport/exchange';
import { certificateCheck } from '../protocols/tls/certificate-check';

/** Hashes with practical collisions. */
const BROKEN = new Set(['MD2', 'MD4', 'MD5', 'SHA-1']);

const hashOf = ({ signature }: CertificateLink): string => signature?.hash ?? '';

/** Clients have their own copy of a root, so its self-signature does not matter. */
const isRoot = ({ subject, issuer }: CertificateLink): boolean => subject === issuer;

export const weakCertificateSignature = certificateCheck(
  {
    id: 'weak-certificate-signature',
    title: 'The TLS certificate is signed with a broken hash',
    severity: 'medium',
    cwe: [328],
    owasp: ['A02:2021', 'A04:2025'],
    wstg: ['WSTG-CRYP-01'],
    cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:L/A:N',
    references: [
      'https://shattered.io/',
      'https://www.rfc-editor.org/rfc/rfc6194',
      'https://www.rfc-editor.org/rfc/rfc6151',
    ],
    decides:
      'Reads the signatures of the certificate and of the intermediate certificates that the server sends. It is vulnerable if one uses MD2, MD4, MD5 or SHA-1; the signature of a root does not count. It is fixed when none of them does.',
    text: `The signature of the certificate, or of one between it and the root, uses MD5 or SHA-1. For both, two certificates with
the same signature have been made: one harmless, to be signed, and another that was never signed. Browsers refuse such
certificates; what still accepts them can be deceived by a forged one.

**How to fix it.** Have the certificate issued again: every public authority signs with SHA-256 or better. With an authority
of your own, change what it signs with, in openssl

    default_md = sha256

If a certificate in between is meant, let the server send the current one of the authority (\`fullchain.pem\`), and no old
ones beside it. The signature of a root that clients know does not matter.`,
  },
  (certificate, { chain }) => {
    const links = [certificate, ...chain.filter((link) => !isRoot(link))];
    const broken = links.find((link) => BROKEN.has(hashOf(link)));
    if (broken !== undefined)
      return vulnerable(`The certificate of ${broken.subject} is signed with ${hashOf(broken)}.`);
    return links.some(({ signature }) => signature === null)
      ? inconclusive('the signature of a certificate cannot be read')
      : notVulnerable('No certificate that the server sends is signed with a broken hash');
  },
);
