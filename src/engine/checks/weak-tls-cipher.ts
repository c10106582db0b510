import { notVulnerable, inconclusive, vulnerable, type WebCheck } from '../check';
import { WEAK_SUITES, weaknessOf } from '../protocols/tls/cipher-suites';
import { sendHello, TLS_1_2 } from '../protocols/tls/client-hello';

export const weakTlsCipher: WebCheck = {
  id: 'weak-tls-cipher',
  title: 'Weak TLS ciphers are accepted',
  severity: 'medium',
  cwe: [327, 326],
  owasp: ['A02:2021', 'A04:2025'],
  wstg: ['WSTG-CRYP-01'],
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:N/A:N',
  references: [
    'https://www.rfc-editor.org/rfc/rfc7465',
    'https://sweet32.info/',
    'https://wiki.mozilla.org/Security/Server_Side_TLS',
  ],
  decides:
    'Sends a ClientHello for TLS 1.2 that offers only weak cipher suites. It is vulnerable if the server chooses one without encryption or authentication, or with export keys, RC4, DES or 3DES. It is fixed when the server refuses the handshake but accepts a modern one.',
  text: `If a client offers only weak ciphers, the server accepts one that does not protect the connection: without
encryption, without a certificate (anonymous), with short export keys, or with RC4, DES or 3DES, which are
broken.

**How to fix it.** Accept ciphers with authenticated encryption only, in nginx

    ssl_ciphers ECDHE+AESGCM:ECDHE+CHACHA20;

in other servers the "intermediate" recommendation of their makers. Load balancers and content delivery networks have
their own setting.`,
  on: 'tls',
  async observe({ target, probe }) {
    const reply = await sendHello(probe, target, { version: TLS_1_2, suites: WEAK_SUITES });
    if (reply.kind === 'refused') return notVulnerable(`The server refuses weak ciphers (${reply.how})`);
    const weakness = reply.kind === 'chosen' ? weaknessOf(reply.suite) : null;
    return weakness === null
      ? inconclusive('the server neither agrees on a weak cipher nor refuses it')
      : vulnerable(`The server agrees on a cipher suite with ${weakness}.`);
  },
};
