import { activeCheck } from '../active/active-check';
import { headerInjection as oracle } from '../active/oracles/header-injection';

export const headerInjection = activeCheck(
  {
    id: 'header-injection',
    title: 'HTTP header injection (CRLF)',
    severity: 'medium',
    cwe: [113],
    owasp: ['A03:2021', 'A05:2025'],
    wstg: ['WSTG-INPV-15'],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
    references: [
      'https://owasp.org/www-community/attacks/HTTP_Response_Splitting',
      'https://www.rfc-editor.org/rfc/rfc9110.html#name-field-values',
    ],
    decides:
      'Sends a line break and a header with a random name and value if the response repeats a word in a header. It is vulnerable if two responses, each to new random words, have this header, and the response without the line break does not. It is fixed when no response has such a header.',
    text: `A value of the request gets into a header of the response with its line breaks. An attacker who gets a visitor to open a link
sets cookies in the visitor's browser, or ends the header and writes a page of their own, which caches may keep.

**How to fix it.** Remove or refuse line breaks before a value is put into a header, also after it was decoded. Current frameworks
do this in the functions that set headers, cookies and redirects; do not write headers by hand.`,
  },
  oracle,
);
