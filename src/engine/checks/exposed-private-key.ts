import { exposedFile } from '../protocols/http/exposed-file';

/** A PEM file may begin with certificates. */
const PEM = /^\s{0,10}-----BEGIN [A-Z ]{1,40}-----\r?\n/;
const KEY = /^-----BEGIN (?:(?:RSA|EC|DSA|OPENSSH|ENCRYPTED) )?PRIVATE KEY-----\r?\n[\w+/=:, -]{16,2000}\r?\n/m;

const identify = (text: string): string | null => (PEM.test(text) && KEY.test(text) ? 'it is a private key' : null);

export const exposedPrivateKey = exposedFile(
  {
    id: 'exposed-private-key',
    title: 'A private key is public',
    severity: 'critical',
    cwe: [538, 522],
    owasp: ['A01:2021', 'A01:2025'],
    wstg: ['WSTG-CONF-04'],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
    references: [
      'https://www.rfc-editor.org/rfc/rfc7468',
      'https://cheatsheetseries.owasp.org/cheatsheets/Key_Management_Cheat_Sheet.html',
    ],
    decides:
      'Requests `/server.key`, `/privkey.pem`, `/id_rsa` and `/.ssh/id_rsa`. It is vulnerable if a response is a PEM file with a private key. It is fixed when no path returns one.',
    text: `A private key can be fetched from the web server. With it, attackers can impersonate this server, or sign in
to every system that accepts the key.

**How to fix it.** Make a new key, and have the certificate of the old one revoked or take it out of every
\`authorized_keys\`: deleting the file does not help against existing copies. Keep keys outside the root of the
site.`,
  },
  ['/server.key', '/privkey.pem', '/id_rsa', '/.ssh/id_rsa'].map((path) => ({ path, identify })),
);
