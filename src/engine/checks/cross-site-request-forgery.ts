import { activeCheck, observePoint } from '../active/active-check';
import { asOwnSite, obstacleTo } from '../active/oracles/forged-form';
import { forgedRequest as oracle } from '../active/oracles/forged-request';
import { type WebCheck, withoutSubject } from '../check';
import { originOf } from '../transport/http';

const check = activeCheck(
  {
    id: 'cross-site-request-forgery',
    title: 'Cross-site request forgery (CSRF)',
    severity: 'medium',
    cwe: [352],
    owasp: ['A01:2021', 'A01:2025'],
    wstg: ['WSTG-SESS-05'],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:N/I:L/A:N',
    references: [
      'https://owasp.org/www-community/attacks/csrf',
      'https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html',
    ],
    needsSubmission: true,
    decides:
      'Submits a form as the account does, and then as a form of another site: without its token, with a foreign `Origin` and `Referer` (or `Origin: null` and no `Referer`), and with the cookies that browsers add then, which are those with `SameSite=None; Secure`. It is vulnerable if two forged submissions appear in a page that the account reads afterwards, where its own submissions appear, and two without the session do not. Only jobs with `full` and accounts submit it. It is fixed when submissions of the account still appear, and forged ones do not.',
    text: `Another site can submit a form in the name of a signed-in user. An attacker puts the form into a page of their own. When a user
who is signed in opens that page, the browser sends the form with the user's session, and the application stores what the
attacker chose (cross-site request forgery).

**How to fix it.** Use the CSRF protection of your framework: a random token for each session, which every form contains and
every request that changes something must have. Refuse requests without it. Set \`SameSite=Lax\` or \`Strict\` for the session cookie,
and refuse requests whose \`Origin\` or \`Sec-Fetch-Site\` names another site.`,
  },
  oracle,
);

export const crossSiteRequestForgery: WebCheck = {
  ...check,
  observe: async (subject) => {
    const { experiment, target, probe } = subject;
    if (experiment === null) return observePoint(subject, oracle);
    const obstacle = obstacleTo(experiment.point, probe);
    if (obstacle !== null) return withoutSubject(obstacle);
    const point = asOwnSite(experiment.point, originOf(target));
    return observePoint({ ...subject, experiment: { ...experiment, point } }, oracle);
  },
};
