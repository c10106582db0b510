import { exposedFile } from '../protocols/http/exposed-file';
import { vimSwapFile } from '../protocols/http/vim-swap-file';

/** The source of a script. The output of a script, or a page that shows source code, does not begin like this. */
const SCRIPT = /^\ufeff?\s{0,50}<\?php\s/;

const identify = (text: string): string | null =>
  SCRIPT.test(text) ? 'it is the source of a script' : vimSwapFile(text);

export const exposedPhpSource = exposedFile(
  {
    id: 'exposed-php-source',
    title: 'The source code of scripts is public',
    severity: 'high',
    cwe: [530, 540],
    owasp: ['A01:2021', 'A01:2025'],
    wstg: ['WSTG-CONF-03', 'WSTG-CONF-04'],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
    references: [
      'https://www.php.net/manual/en/security.php',
      'https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html',
    ],
    decides:
      'Requests backup and editor copies such as `/index.php.bak` and `/.index.php.swp`. It is vulnerable if a response begins like PHP source code or like a Vim swap file. It is fixed when no path returns such content.',
    text: `A copy of a script, left by an editor or made by hand, has a name that the server does not execute, so the
server returns the source code. It may contain passwords, keys and weaknesses of the application.

**How to fix it.** Delete the copies, deploy from a repository instead of editing on the server, and let the server
refuse such names, in nginx:

    location ~ (~|\\.(bak|old|orig|save|swp))$ { return 404; }

Change the secrets that the scripts contain.`,
    inFolders: true,
  },
  [
    '/index.php.bak',
    '/index.php~',
    '/config.php.bak',
    '/.index.php.swp',
    '/index.php.old',
    '/index.php.save',
    '/config.php~',
  ].map((path) => ({ path, identify })),
);
