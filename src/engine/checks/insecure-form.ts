import { notVulnerable, vulnerable } from '../check';
import { policiesOf } from '../protocols/http/content-security-policy';
import { documentCheck } from '../protocols/http/document-check';
import { decodedEntities } from '../entities';
import { attributeOf, tagsOf } from '../protocols/http/markup';
import type { Page } from '../page';
import { parseUrl } from '../../kernel/parse-url';

const valuesOf = (page: Page, tag: string, attribute: string): string[] =>
  tagsOf(page.text, tag).flatMap((one) => decodedEntities(attributeOf(one, attribute) ?? '').trim() || []);

/** The URLs to which the page's forms are sent. A form without an action is sent to the page itself, whatever the base. */
function actionsOf(page: Page): string[] {
  const [href = ''] = valuesOf(page, 'base', 'href');
  const base = parseUrl(href, page.url)?.href ?? page.url;
  const stated = [...valuesOf(page, 'form', 'action'), ...valuesOf(page, '(?:button|input)', 'formaction')];
  return stated.flatMap((action) => parseUrl(action, base)?.href ?? []);
}

export const insecureForm = documentCheck(
  {
    id: 'insecure-form',
    title: 'Mixed content: a form on an HTTPS page is sent over plain HTTP',
    severity: 'medium',
    cwe: [319],
    owasp: ['A02:2021', 'A04:2025'],
    wstg: ['WSTG-CRYP-03'],
    cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:N',
    references: [
      'https://www.w3.org/TR/mixed-content/',
      'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    ],
    decides:
      'Requests the page over HTTPS and reads the `action` of each form, the `formaction` of its buttons and the `base` of the page. It is vulnerable if a form is sent to `http://` and no policy has `upgrade-insecure-requests`. It is fixed when no form is sent over plain HTTP.',
    text: `The page comes over HTTPS, but the form data is sent in plain text: an attacker on the network can read and
change it.

**How to fix it.** Let the form's \`action\`, and the \`href\` of \`base\`, begin with \`https://\`, or be a path
(\`action="/search"\`), which stays on the page's own protocol. As a second line of defence,
\`Content-Security-Policy: upgrade-insecure-requests\` makes browsers send it over HTTPS.`,
    schemes: ['https'],
  },
  (page) => {
    const action = actionsOf(page).find((one) => one.startsWith('http:'));
    if (action === undefined) return notVulnerable('no form on the page is sent over plain HTTP');
    return policiesOf(page).some((policy) => policy.has('upgrade-insecure-requests'))
      ? notVulnerable('upgrade-insecure-requests makes browsers send its forms over HTTPS')
      : vulnerable(`A form is sent to ${action.slice(0, 200)}.`);
  },
);
