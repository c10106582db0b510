import { getDomain } from 'tldts';
import { notVulnerable, vulnerable, type WebCheck } from '../check';
import { isAddress } from '../target';

/** Origins that are nobody's: a stranger, a page without an origin, and two that only look like the target's own. */
function strangersTo(host: string): string[] {
  const domain = isAddress(host) ? null : getDomain(host);
  const lookalikes = domain === null ? [] : [`https://${host}.stranger.example`, `https://stranger${domain}`];
  return ['https://stranger.example', 'null', ...lookalikes];
}

export const corsWithCredentials: WebCheck = {
  id: 'cors-with-credentials',
  title: 'Any site may read answers with the session of a visitor',
  severity: 'high',
  cwe: 942,
  text: `Asked from a foreign origin, the server allows that origin to read the answer, and to send the visitor's
cookies with the request. Any page that a signed-in visitor opens can then read from here whatever the visitor may
read.

**How to fix it.** Answer with \`Access-Control-Allow-Origin\` only for origins on a list, compared as a whole and
not by how they begin or end, never for \`null\`; and with \`Access-Control-Allow-Credentials\` only where it is
needed. Add \`Vary: Origin\`.`,
  on: 'page',
  async observe({ target, probe }) {
    for (const origin of strangersTo(target.host)) {
      const { headers } = await probe.http({ headers: [['Origin', origin]], fresh: true });
      const trusts = headers.get('access-control-allow-origin')?.trim() === origin;
      if (trusts && headers.get('access-control-allow-credentials')?.trim() === 'true')
        return vulnerable(`Asked from ${origin}, it allows that origin to read the answer, with credentials.`);
    }
    return notVulnerable('it allows no foreign origin to read answers with credentials');
  },
};
