import { exposedFile } from '../protocols/http/exposed-file';
import { vimSwapFile } from '../protocols/http/vim-swap-file';

const PASSWORD = /^[ \t]{0,20}define\( {0,5}['"]DB_PASSWORD['"] {0,5}, {0,5}['"]/m;
const MARKUP = /^\s{0,50}<(?!\?php)/;

const identify = (text: string): string | null =>
  PASSWORD.test(text) && !MARKUP.test(text) ? 'it sets the password of the database' : null;

export const exposedWpConfig = exposedFile(
  {
    id: 'exposed-wp-config',
    title: 'WordPress configuration is public (wp-config.php)',
    severity: 'critical',
    cwe: [530, 540],
    owasp: ['A01:2021', 'A01:2025'],
    wstg: ['WSTG-CONF-03', 'WSTG-CONF-04'],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    references: [
      'https://developer.wordpress.org/apis/wp-config-php/',
      'https://developer.wordpress.org/advanced-administration/security/hardening/',
    ],
    decides:
      'Requests `/wp-config.txt` and the copies that editors and people make, such as `/wp-config.php.bak` and `/wp-config.php.save`. It is vulnerable if a response is source code that defines `DB_PASSWORD`, or a Vim swap file. It is fixed when no path returns such content.',
    text: `A copy of \`wp-config.php\` has a name that the server does not execute, so the server returns its source code:
the database password and the keys that sign sessions. With them, attackers can take over the site.

**How to fix it.** Delete the copy. Change the password of the database, and the keys and salts (a new set signs
all users out): assume that attackers have read them. \`wp-config.php\` itself can lie one folder above the root of the
site.`,
    inFolders: true,
  },
  [
    ...['/wp-config.php.bak', '/wp-config.php~', '/wp-config.txt', '/wp-config.php.save', '/wp-config.php.old'].map(
      (path) => ({ path, identify }),
    ),
    { path: '/.wp-config.php.swp', identify: vimSwapFile },
  ],
);
