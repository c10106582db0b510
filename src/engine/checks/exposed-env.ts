import { exposedFile } from '../protocols/http/exposed-file';
import { vimSwapFile } from '../protocols/http/vim-swap-file';

const ASSIGNMENT = /^(?:export )?[A-Za-z_][\w.]{0,80} ?=/;
/** An assignment of a secret that is not empty. */
const SECRET =
  /^(?:export )?((?:[A-Z][A-Z\d_.]{0,60}[_.])?(?:KEY|KEY_ID|SECRET|PASSWORD|PASSWD|PASS|PWD|TOKEN|CREDENTIALS|SK|DSN|DATABASE_URL)(?:_\d)?) ?= ?["']?(?!null\b)[^\s"'#]/i;

const OPENS_QUOTE = /=\s*(["'])((?:(?!\1).)*)$/;
/** Long comments may come before the secrets. */
const READ_CHARACTERS = 1_000_000;
const SEARCHED_CHARACTERS = 65_536;

const withoutComments = (text: string): string =>
  text
    .slice(0, READ_CHARACTERS)
    .replaceAll(/^[ \t]*#[^\n]*\n/gm, '')
    .slice(0, SEARCHED_CHARACTERS);

/** Leaves out continuation lines of quoted values, such as a private key. */
export function statementsOf(lines: readonly string[]): string[] {
  const statements: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    statements.push(line);
    const quote = ASSIGNMENT.test(line) ? OPENS_QUOTE.exec(line)?.[1] : undefined;
    if (quote === undefined) continue;
    let end = at + 1;
    while (lines[end]?.includes(quote) === false) end += 1;
    if (end < lines.length) at = end;
  }
  return statements;
}

/** Only assignments and comments, with at least one secret. Only the names are reported. */
function identify(text: string): string | null {
  const lines = withoutComments(text)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (lines[0]?.startsWith('<') === true) return null;
  const statements = statementsOf(lines);
  if (statements.filter((line) => ASSIGNMENT.test(line)).length < statements.length / 2) return null;
  const names = statements.flatMap((line) => SECRET.exec(line)?.[1] ?? []);
  return names.length === 0 ? null : `it sets ${[...new Set(names)].slice(0, 5).join(', ')}`;
}

export const exposedEnv = exposedFile(
  {
    id: 'exposed-env',
    title: 'An .env file with secrets is public',
    severity: 'critical',
    cwe: [538, 522],
    owasp: ['A01:2021', 'A01:2025'],
    wstg: ['WSTG-CONF-04'],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
    references: [
      'https://12factor.net/config',
      'https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html',
    ],
    decides:
      'Requests `/.env`, `/.env.local`, `/.env.production` and the copies that editors and people make, such as `/.env.bak`. It is vulnerable if a response consists of assignments and at least one sets a secret (only the names are recorded in the finding), or if it is a Vim swap file. It is fixed when no path returns such content.',
    text: `The file \`.env\` can be fetched from the web server. It contains the credentials of the application: the
database password, keys of mail and payment services, the key that signs sessions.

**How to fix it.** Set the document root to the application's public folder, not to its parent, and return
404 for names that begin with a dot, in nginx:

    location ~ /\\. { return 404; }

Change every secret in the file: assume that attackers have read it. Removing the file alone fixes nothing.`,
    inFolders: true,
  },
  [
    ...['/.env', '/.env.local', '/.env.production', '/.env.bak', '/.env~', '/.env.old', '/.env.save'].map((path) => ({
      path,
      identify,
      whole: true,
    })),
    { path: '/.env.swp', identify: vimSwapFile },
  ],
);
