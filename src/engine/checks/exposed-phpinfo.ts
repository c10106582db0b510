import { exposedFile } from '../protocols/http/exposed-file';

const TITLE = /<title>(?:PHP \d[\w.+~-]{0,60} - )?phpinfo\(\)<\/title>/i;
const VERSION = /<h1 class="p">PHP Version (\d[\w.+~-]{0,60})<\/h1>/i;

function identify(text: string): string | null {
  const version = TITLE.test(text) ? VERSION.exec(text)?.[1] : undefined;
  return version === undefined ? null : `it is the output of phpinfo(), of PHP ${version}`;
}

export const exposedPhpinfo = exposedFile(
  {
    id: 'exposed-phpinfo',
    title: 'The output of phpinfo() is public',
    severity: 'medium',
    cwe: [497],
    owasp: ['A05:2021', 'A02:2025'],
    wstg: ['WSTG-CONF-05'],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
    references: ['https://www.php.net/manual/en/function.phpinfo.php'],
    decides:
      'Requests `/phpinfo.php`, `/info.php` and `/test.php`. It is vulnerable if a response has the title and the version heading of `phpinfo()`. It is fixed when no path returns this output.',
    text: `A public script calls \`phpinfo()\`. It shows versions, modules, paths, and the environment of the process, which
often contains passwords and keys. It also shows the visitor's own cookies, including \`HttpOnly\` cookies.

**How to fix it.** Delete the script. If the environment on the page holds secrets, change them.`,
    inFolders: true,
  },
  ['/phpinfo.php', '/info.php', '/test.php'].map((path) => ({ path, identify })),
);
