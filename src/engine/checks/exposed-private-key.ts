import { exposedFile } from '../protocols/http/exposed-file';

/** Of a file in PEM, which may begin with certificates. */
const PEM = /^\s{0,10}-----BEGIN [A-Z ]{1,40}-----\r?\n/;
const KEY = /^-----BEGIN (?:(?:RSA|EC|DSA|OPENSSH|ENCRYPTED) )?PRIVATE KEY-----\r?\n[\w+/=:, -]{16,2000}\r?\n/m;

const identify = (text: string): string | null => (PEM.test(text) && KEY.test(text) ? 'it is a private key' : null);

export const exposedPrivateKey = exposedFile(
  {
    id: 'exposed-private-key',
    title: 'A private key is public',
    severity: 'critical',
    cwe: 538,
    text: `A private key can be fetched from the web server. With it, others can pretend to be this server, or sign in
wherever the key opens the door.

**How to fix it.** Make a new key, and have the certificate of the old one revoked or take it out of every
\`authorized_keys\`: deleting the file does not take it back from whoever has it. Keep keys outside the root of the
site.`,
  },
  ['/server.key', '/privkey.pem', '/id_rsa', '/.ssh/id_rsa'].map((path) => ({ path, identify })),
);
