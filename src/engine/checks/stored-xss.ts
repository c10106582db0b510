import { activeCheck } from '../active/active-check';
import { storedXss as oracle } from '../active/oracles/stored-markup';

export const storedXss = activeCheck(
  {
    id: 'stored-xss',
    title: 'Stored XSS',
    severity: 'high',
    cwe: [79],
    owasp: ['A03:2021', 'A05:2025'],
    wstg: ['WSTG-INPV-02'],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:H/I:L/A:N',
    references: [
      'https://owasp.org/www-community/attacks/xss/',
      'https://cheatsheetseries.owasp.org/cheatsheets/Cross_Site_Scripting_Prevention_Cheat_Sheet.html',
    ],
    needsSubmission: true,
    decides:
      'Submits an element unknown to HTML with a random name and an empty `onclick`, so that no script is stored. It is vulnerable if two such values become that element with that attribute in a page that a visitor without a session reads: the redirect, the page of the form, or one of up to 30 known pages. Only jobs with `full` submit it. It is fixed when new values, also such as weak filters let through, still appear as escaped text in that page, and do not become the element with the attribute.',
    text: `A page shows others what one user has entered, without escaping it. An attacker stores a script once, and it runs for
everyone who opens the page: it reads what they see, and acts in their name (stored cross-site scripting).

**How to fix it.** Escape every value where it is put into the page, with the functions of your template engine. Where users
may enter HTML, clean it with a library that keeps a list of allowed elements and attributes. Delete what is already stored.`,
  },
  oracle,
);
