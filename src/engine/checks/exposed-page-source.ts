import { notVulnerable, type WebCheck } from '../check';
import { everyAnswer } from '../page';
import { isPublic, MAX_FILE_REDIRECTS } from '../protocols/http/exposed-file';
import { vimSwapFile } from '../protocols/http/vim-swap-file';

/** The beginning of source code that a server runs, by file extension. The output of a program does not begin like this. */
const BEGINNINGS: readonly (readonly [extension: RegExp, beginning: RegExp])[] = [
  [/^(?:php\d?|phtml|inc)$/, /^\ufeff?\s{0,50}<\?(?:php\s|=)/],
  [/^(?:aspx?|ashx|asmx|ascx|jspx?|jspf)$/, /^\ufeff?\s{0,50}<%[@!=\s-]/],
  [/^cf[mc]$/, /^\ufeff?\s{0,50}<cf(?:set|param|include|component|output|if|query|script|application)[\s>]/i],
  [/^(?:cgi|pl|py|rb)$/, /^\ufeff?#! ?\/[\w./-]{1,60}(?:perl|python|ruby|env|sh)[\d.]{0,8}[ \r\n]/],
];

interface Script {
  readonly folder: string;
  readonly name: string;
  readonly beginning: RegExp;
}

/** The file of a page whose name says that the server runs it. */
function scriptAt(path: string): Script | null {
  const end = path.lastIndexOf('/') + 1;
  const name = path.slice(end).split(/[?;]/, 1)[0] ?? '';
  const extension = /^[^.].*\.(\w{1,5})$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const beginning = BEGINNINGS.find(([extensions]) => extensions.test(extension))?.[1];
  return beginning === undefined ? null : { folder: path.slice(0, end), name, beginning };
}

const COPIES: readonly ((name: string) => string)[] = [
  ...['.bak', '~', '.old', '.orig', '.save'].map((ending) => (name: string) => `${name}${ending}`),
  (name) => `.${name}.swp`,
];

/** Source code is recognized by its first characters. */
const SEARCHED_CHARACTERS = 4_096;

export const exposedPageSource: WebCheck = {
  id: 'exposed-page-source',
  title: 'A copy of the source code of the page is public',
  severity: 'high',
  cwe: [530, 540],
  owasp: ['A01:2021', 'A01:2025'],
  wstg: ['WSTG-CONF-03', 'WSTG-CONF-04'],
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html',
    'https://vimhelp.org/recover.txt.html',
  ],
  decides:
    'Requests copies of a page such as `/login.php`: `/login.php.bak`, `/login.php~`, `/login.php.old`, `/login.php.orig`, `/login.php.save` and `/.login.php.swp`. It is vulnerable if a response begins like source code of that language or like a Vim swap file. It is fixed when no path returns such content.',
  text: `A copy of the script of this page, left by an editor or made by hand, has a name that the server does not execute, so the
server returns the source code. It may contain passwords, keys and weaknesses of the application.

**How to fix it.** Delete the copies, deploy from a repository instead of editing on the server, and let the server
refuse such names, in nginx:

    location ~ (~|\\.(bak|old|orig|save|swp))$ { return 404; }

Change the secrets that the script contains.`,
  on: 'page',
  selfEvident: true,
  notApplicable: ({ path }) => (scriptAt(path) === null ? 'the URL does not name a script' : null),
  async observe({ target, probe }) {
    const script = scriptAt(target.path);
    if (script === null) return notVulnerable('the URL does not name a script');
    const { folder, name, beginning } = script;
    const paths = COPIES.map((copyOf) => `${folder}${copyOf(name)}`);
    for (const path of paths) {
      const page = await probe.http({ path, hops: MAX_FILE_REDIRECTS, reach: 'origin' });
      for (const answer of everyAnswer(page)) {
        const start = answer.text.slice(0, SEARCHED_CHARACTERS);
        const found = beginning.test(start) ? 'it is source code' : vimSwapFile(start);
        if (found !== null) return isPublic(path, answer, found);
      }
    }
    return notVulnerable(`${paths.join(', ')}: not there`);
  },
};
