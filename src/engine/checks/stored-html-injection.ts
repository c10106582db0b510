import { activeCheck } from '../active/active-check';
import { storedHtml as oracle } from '../active/oracles/stored-markup';

export const storedHtmlInjection = activeCheck(
  {
    id: 'stored-html-injection',
    title: 'Stored HTML injection',
    severity: 'low',
    cwe: [80],
    owasp: ['A03:2021', 'A05:2025'],
    wstg: ['WSTG-CLNT-03'],
    cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:L/A:N',
    references: ['https://cheatsheetseries.owasp.org/cheatsheets/Cross_Site_Scripting_Prevention_Cheat_Sheet.html'],
    needsSubmission: true,
    decides:
      'Submits the same values as [Stored XSS](#stored-xss). It is vulnerable if the element arrives twice for a visitor without a session, and its `onclick` does not. It is fixed when new values, also such as weak filters let through, still appear as escaped text in that page, and no element arrives.',
    text: `A page shows others elements that one user has entered. Event handlers are removed, so no script was shown to run. An
attacker can still show visitors foreign content, such as a false form.

**How to fix it.** Escape values where they are put into the page, or allow only the elements that users need.`,
  },
  oracle,
);
