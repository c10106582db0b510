import { notVulnerable, vulnerable } from '../check';
import { isAddress } from '../target';
import { certificateCheck } from '../protocols/tls/certificate-check';

export const mismatchedCertificate = certificateCheck(
  {
    id: 'mismatched-certificate',
    title: 'The TLS certificate is for another name',
    severity: 'medium',
    cwe: [297],
    owasp: ['A02:2021', 'A04:2025'],
    wstg: ['WSTG-CRYP-01'],
    cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:N',
    references: ['https://www.rfc-editor.org/rfc/rfc9525', 'https://wiki.mozilla.org/Security/Server_Side_TLS'],
    decides:
      'Reads the certificate of the TLS handshake for the host name. It is vulnerable if none of its names covers the host. It is fixed when every address presents a certificate for this name.',
    text: `The certificate does not contain the name under which this server is reached. Visitors cannot verify the server:
browsers warn, and other programs refuse to connect.

**How to fix it.** Have a certificate issued that lists this name among its alternative names. If there is one, the server
does not choose it: compare the names of its virtual hosts with the name that clients ask for (SNI). If the name is not meant
to be served here, take it out of the DNS.`,
    notApplicable: ({ host }) => (isAddress(host) ? 'certificates are issued for names, and this is an address' : null),
  },
  ({ covers, names, subject }) =>
    covers
      ? notVulnerable('The certificate contains the name')
      : vulnerable(`The certificate is for ${names || subject || 'no name at all'}.`),
);
