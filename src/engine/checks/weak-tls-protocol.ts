import { notVulnerable, inconclusive, vulnerable, type WebCheck } from '../check';
import { COMMON_OLD_SUITES, SUITES_BEFORE_TLS_1_2 } from '../protocols/tls/cipher-suites';
import type { Probe } from '../probe';
import type { Target } from '../target';
import { answerTo, CONNECTION_CLOSED, sendHello, type ServerReply, TLS_1_1 } from '../protocols/tls/client-hello';

const OLD: Readonly<Record<number, string>> = { 0x0300: 'SSL 3.0', 0x0301: 'TLS 1.0', 0x0302: 'TLS 1.1' };

/** A firewall may close the connection only for the weakest suites, so a ClientHello without them is sent as well. */
async function answerToOldVersions(probe: Probe, target: Target): Promise<ServerReply> {
  const reply = await sendHello(probe, target, { version: TLS_1_1, suites: SUITES_BEFORE_TLS_1_2 });
  if (reply.kind !== 'refused' || reply.how !== CONNECTION_CLOSED) return reply;
  const second = await answerTo(probe, target.host, { version: TLS_1_1, suites: COMMON_OLD_SUITES });
  return second.kind === 'hung up' ? reply : second;
}

export const weakTlsProtocol: WebCheck = {
  id: 'weak-tls-protocol',
  title: 'TLS 1.1 or older is accepted',
  severity: 'medium',
  cwe: [327],
  owasp: ['A02:2021', 'A04:2025'],
  wstg: ['WSTG-CRYP-01'],
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:L/A:N',
  references: [
    'https://www.rfc-editor.org/rfc/rfc8996',
    'https://wiki.mozilla.org/Security/Server_Side_TLS',
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
  ],
  decides:
    'Sends a ClientHello that offers at most TLS 1.1. It is vulnerable if the server agrees on SSL 3.0, TLS 1.0 or TLS 1.1. It is fixed when the server refuses the handshake but accepts a modern one.',
  text: `The server still speaks TLS 1.1 or older. These versions depend on MD5 and SHA-1 and on ciphers with known attacks; they
were withdrawn in 2021 (RFC 8996), and no current browser needs them. Where they are enabled, an attacker on the
network may force both sides to use them.

**How to fix it.** Accept TLS 1.2 and 1.3 only, in nginx

    ssl_protocols TLSv1.2 TLSv1.3;

and in Apache \`SSLProtocol -all +TLSv1.2 +TLSv1.3\`. Load balancers and content delivery networks have their own setting.`,
  on: 'tls',
  async observe({ target, probe }) {
    const reply = await answerToOldVersions(probe, target);
    if (reply.kind === 'refused') return notVulnerable(`The server refuses what is older than TLS 1.2 (${reply.how})`);
    const version = reply.kind === 'chosen' ? OLD[reply.version] : undefined;
    return version === undefined
      ? inconclusive('the server neither agrees on an old version of TLS nor refuses it')
      : vulnerable(`The server agrees on ${version}.`);
  },
};
