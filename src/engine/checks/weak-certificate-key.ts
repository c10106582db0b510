import { notVulnerable, vulnerable } from '../check';
import { certificateCheck } from '../protocols/tls/certificate-check';

/** For RSA. No current client, including this one, accepts elliptic curves that are too small. */
const FEWEST_BITS = 2048;

export const weakCertificateKey = certificateCheck(
  {
    id: 'weak-certificate-key',
    title: 'The key of the TLS certificate is too short',
    severity: 'medium',
    cwe: [326],
    owasp: ['A02:2021', 'A04:2025'],
    wstg: ['WSTG-CRYP-01'],
    cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:L/A:N',
    references: [
      'https://csrc.nist.gov/pubs/sp/800/57/pt1/r5/final',
      'https://cabforum.org/working-groups/server/baseline-requirements/',
    ],
    decides:
      'Reads the certificate of the TLS handshake. It is vulnerable if its RSA key has fewer than 2048 bits. It is fixed when every address presents a certificate with a longer key or an elliptic-curve key.',
    text: `The RSA key of the certificate has fewer than 2048 bits. Keys of that size can be broken with enough machines, and then
attackers can impersonate this server. No public authority signs them any more.

**How to fix it.** Make a new key and have a new certificate issued for it; the old one must not be used again:

    openssl ecparam -name prime256v1 -genkey -noout -out server.key

or \`openssl genrsa -out server.key 3072\` where RSA is needed. Revoke the old certificate.`,
  },
  ({ key: { type, bits } }) =>
    bits !== null && bits < FEWEST_BITS
      ? vulnerable(`The certificate's key is ${type} with ${bits} bits.`)
      : notVulnerable(`The certificate's key is ${type}${bits === null ? '' : ` with ${bits} bits`}`),
);
