import { activeCheck } from '../active/active-check';
import { TEMPLATE_CALLBACKS } from '../active/callbacks/callback-syntax';
import { withCallbacks } from '../active/callbacks/with-callbacks';
import { templateInjection as oracle } from '../active/oracles/template-injection';

export const templateInjection = activeCheck(
  {
    id: 'template-injection',
    title: 'Server-side template injection',
    severity: 'critical',
    cwe: [1336],
    owasp: ['A03:2021', 'A05:2025'],
    wstg: ['WSTG-INPV-18'],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    references: [
      'https://portswigger.net/web-security/server-side-template-injection',
      'https://jinja.palletsprojects.com/en/stable/sandbox/',
    ],
    decides:
      'Sends the product of two random numbers in the syntaxes of template engines, between random words. It is vulnerable if two answers have the result between the words, and the same input without template syntax is not computed. It is fixed when nothing is computed. Only arithmetic is sent, and with a [listener](callbacks.md) the command `curl` to it.',
    text: `The application puts input into the source of a template, and the engine runs it on the server. In most engines an attacker
reaches the functions of the language from there, and runs commands.

**How to fix it.** Keep templates in files, and pass input to them as values. Users who must write templates need an engine
without logic, such as Mustache, or a sandbox.`,
  },
  withCallbacks(oracle, TEMPLATE_CALLBACKS),
);
