import { notVulnerable, vulnerable } from '../check';
import { documentCheck } from '../protocols/http/document-check';

export const missingNosniff = documentCheck(
  {
    id: 'missing-nosniff',
    title: 'X-Content-Type-Options is missing (MIME sniffing)',
    severity: 'low',
    cwe: [693],
    owasp: ['A05:2021', 'A02:2025'],
    wstg: [],
    cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:L/A:N',
    references: [
      'https://fetch.spec.whatwg.org/#x-content-type-options-header',
      'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html',
      'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/X-Content-Type-Options',
    ],
    decides:
      'Requests the page and reads its `X-Content-Type-Options` header. It is vulnerable if an HTML response has no such header, or its first value is not `nosniff`. It is fixed when the value is `nosniff`.',
    text: `Without \`X-Content-Type-Options: nosniff\` browsers may guess another type than the server states:
an uploaded picture or a text that contains a script can then run as a script.

**How to fix it.** Answer every request with

    X-Content-Type-Options: nosniff

and state the right \`Content-Type\` for scripts and style sheets: browsers refuse wrong types from then on.`,
  },
  (page) => {
    const field = page.headers.get('x-content-type-options');
    if (field === null) return vulnerable('The response has no X-Content-Type-Options header.');
    const [first = ''] = field.split(',');
    return first.trim().toLowerCase() === 'nosniff'
      ? notVulnerable('X-Content-Type-Options is nosniff')
      : vulnerable(`The X-Content-Type-Options header says "${field}", which browsers ignore.`);
  },
);
