import { type Observation, notVulnerable, vulnerable } from '../check';
import { headerPolicies, type Policy } from '../protocols/http/content-security-policy';
import { documentCheck } from '../protocols/http/document-check';

const ALL_SITES = new Set(['*', 'http:', 'https:']);

function ancestorsOf(policy: Policy): (readonly string[])[] {
  const ancestors = policy.get('frame-ancestors');
  return ancestors === undefined ? [] : [ancestors];
}

function byPolicy(all: readonly (readonly string[])[]): Observation {
  const isOpen = (ancestors: readonly string[]): boolean => ancestors.some((one) => ALL_SITES.has(one));
  return all.every(isOpen)
    ? vulnerable(`The frame-ancestors of the Content-Security-Policy allow any site (${all[0]?.join(' ') ?? ''}).`)
    : notVulnerable('frame-ancestors restricts which sites may frame the page');
}

export const missingFrameProtection = documentCheck(
  {
    id: 'missing-frame-protection',
    title: 'Clickjacking: the page can be framed by any site',
    severity: 'low',
    cwe: [1021],
    owasp: ['A05:2021', 'A02:2025'],
    wstg: ['WSTG-CLNT-09'],
    cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:L/A:N',
    references: [
      'https://www.rfc-editor.org/rfc/rfc7034',
      'https://cheatsheetseries.owasp.org/cheatsheets/Clickjacking_Defense_Cheat_Sheet.html',
      'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Content-Security-Policy/frame-ancestors',
    ],
    decides:
      'Requests the page and reads `frame-ancestors` and `X-Frame-Options` as browsers do. It is vulnerable if neither restricts which sites may frame the page. It is fixed when one of them does.',
    text: `Any site can show this page in an invisible frame and trick visitors into clicking in it
(clickjacking), with their session and permissions.

**How to fix it.** State which sites may frame the page, usually only your own:

    Content-Security-Policy: frame-ancestors 'self'
    X-Frame-Options: SAMEORIGIN

The second line is for old browsers. \`ALLOW-FROM\` is ignored by today's, and so is \`frame-ancestors\` in a \`meta\`
tag.`,
  },
  (page) => {
    const ancestors = headerPolicies(page).flatMap(ancestorsOf);
    // Browsers ignore X-Frame-Options when there are frame-ancestors.
    if (ancestors.length > 0) return byPolicy(ancestors);
    const field = page.headers.all('x-frame-options').join(', ');
    if (field === '') return vulnerable('The response has neither X-Frame-Options nor frame-ancestors.');
    const isKnown = field.split(',').some((word) => ['deny', 'sameorigin'].includes(word.trim().toLowerCase()));
    return isKnown
      ? notVulnerable(`X-Frame-Options is ${field}`)
      : vulnerable(`The X-Frame-Options header says "${field}", which browsers ignore.`);
  },
);
