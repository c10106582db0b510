import { exposedFile } from '../protocols/http/exposed-file';
import { attributeOf, tagsOf } from '../protocols/http/markup';

const POLICY =
  /^\ufeff?\s{0,50}(?:<\?xml[^<>]{0,200}>\s{0,50})?(?:<!DOCTYPE[^<>]{0,300}>\s{0,50})?(?:<!--[^<>]{0,2000}-->\s{0,50}){0,5}<cross-domain-policy[\s>]/i;

const allowsEveryone = (text: string): boolean =>
  tagsOf(text, 'allow-access-from').some((tag) => attributeOf(tag, 'domain')?.trim() === '*');

export const permissiveCrossdomainPolicy = exposedFile(
  {
    id: 'permissive-crossdomain-policy',
    title: 'The cross-domain policy allows every site',
    severity: 'low',
    cwe: [942],
    owasp: ['A05:2021', 'A02:2025'],
    wstg: ['WSTG-CONF-08'],
    cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N',
    references: [
      'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/08-Test_RIA_Cross_Domain_Policy',
    ],
    decides:
      'Requests `/crossdomain.xml`. It is vulnerable if the response is a cross-domain policy that allows access from `*`. It is fixed when the path returns no such policy.',
    text: `The file \`crossdomain.xml\` allows every site to read the responses of this one, with the cookies of the visitor. Only
old plug-ins such as Flash, and programs that embed them, still read the file.

**How to fix it.** Delete the file. If a program still needs it, list the domains that may read responses instead of
\`*\`.`,
  },
  [
    {
      path: '/crossdomain.xml',
      identify: (text) => (POLICY.test(text) && allowsEveryone(text) ? 'it allows access from every domain' : null),
      isHarmless: (text) => POLICY.test(text) && !allowsEveryone(text),
    },
  ],
);
