import { notVulnerable, vulnerable } from '../check';
import { isAddress } from '../target';
import { certificateCheck } from '../protocols/tls/certificate-check';

export const mismatchedCertificate = certificateCheck(
  {
    id: 'mismatched-certificate',
    title: 'The TLS certificate is for another name',
    severity: 'medium',
    cwe: 297,
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
