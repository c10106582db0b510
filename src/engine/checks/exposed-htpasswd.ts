import { exposedFile } from '../protocols/http/exposed-file';

/** A user with a password hash as htpasswd and similar tools write it: apr1, bcrypt, SHA, crypt. */
const USER =
  /^[^\s:<>{}"]{1,100}:(?:\$(?:apr1|2[aby]|5|6)\$[\w./$=]{20,200}|\{S?SHA\}[\w+/=]{20,100}|(?=\S*\d)(?=\S*[A-Z])[\w./]{13})$/;

function identify(text: string): string | null {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  return lines.length > 0 && lines.every((line) => USER.test(line))
    ? `it holds the hashed passwords of ${lines.length === 1 ? 'a user' : `${lines.length} users`}`
    : null;
}

export const exposedHtpasswd = exposedFile(
  {
    id: 'exposed-htpasswd',
    title: 'A file with hashed passwords is public (.htpasswd)',
    severity: 'high',
    cwe: [538, 522],
    owasp: ['A01:2021', 'A01:2025'],
    wstg: ['WSTG-CONF-04'],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
    references: [
      'https://httpd.apache.org/docs/2.4/programs/htpasswd.html',
      'https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html',
    ],
    decides:
      'Requests `/.htpasswd` and `/htpasswd`. It is vulnerable if every line of a response is a user with a password hash. It is fixed when neither path returns such content.',
    text: `The file \`.htpasswd\` can be fetched from the web server. The passwords in it are hashed, mostly in ways
that allow millions of guesses per second: weak passwords are found quickly.

**How to fix it.** Move the file to a place outside the root of the site, and let the server answer 404 for names
that begin with a dot. Change the passwords, here and wherever else they are used.`,
    inFolders: true,
  },
  ['/.htpasswd', '/htpasswd'].map((path) => ({ path, identify })),
);
