import { notVulnerable, vulnerable } from '../check';
import { certificateCheck } from '../protocols/tls/certificate-check';

/** For RSA. No current client accepts elliptic curves that are too small, including this one. */
const FEWEST_BITS = 2048;

export const weakCertificateKey = certificateCheck(
  {
    id: 'weak-certificate-key',
    title: 'The key of the TLS certificate is too short',
    severity: 'medium',
    cwe: 326,
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
