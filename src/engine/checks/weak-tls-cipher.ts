import { notVulnerable, inconclusive, vulnerable, type WebCheck } from '../check';
import { WEAK_SUITES, weaknessOf } from '../protocols/tls/cipher-suites';
import { sendHello, TLS_1_2 } from '../protocols/tls/client-hello';

export const weakTlsCipher: WebCheck = {
  id: 'weak-tls-cipher',
  title: 'Weak ciphers are accepted for TLS',
  severity: 'medium',
  cwe: 327,
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
