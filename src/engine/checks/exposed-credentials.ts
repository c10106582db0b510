import { secretsInJson, secretsInYaml } from '../protocols/http/configured-secrets';
import { exposedFile } from '../protocols/http/exposed-file';

const AWS = /^\s{0,50}(?:[#;][^\n]{0,500}\n\s{0,50}){0,20}\[[^\]\n]{1,100}\][ \t]{0,20}\r?\n/;
const AWS_SECRET = /^[ \t]{0,20}aws_secret_access_key[ \t]{0,20}=[ \t]{0,20}[\w+/=]{30,200}\s*$/m;
const NETRC = /^(?:machine\s{1,20}[\w.:-]{1,255}|default)\s{1,20}login\s{1,20}\S{1,200}\s{1,20}password\s{1,20}\S/m;
const MARKUP = /^\s{0,50}</;

/** These editors allow comments in the file, so it may not be valid JSON. */
const SFTP_START = /^\s{0,50}(?:\/\/[^\n]{0,500}\n\s{0,50}){0,20}[{[]/;
const SFTP_HOST = /^[ \t]{0,40}"host" ?: ?"[^"\n]{1,255}"/m;
const SFTP_SECRET = /^[ \t]{0,40}"(?:password|passphrase)" ?: ?"[^"\n]{1,200}"/m;

const aws = (text: string): string | null =>
  AWS.test(text) && AWS_SECRET.test(text) ? 'it holds the keys of an AWS account' : null;

const netrc = (text: string): string | null =>
  NETRC.test(text) && !MARKUP.test(text) ? 'it holds the logins that command-line clients use' : null;

const sftp = (text: string): string | null =>
  SFTP_START.test(text) && SFTP_HOST.test(text) && SFTP_SECRET.test(text)
    ? 'it holds the login with which an editor uploads files'
    : null;

const namesOf = (names: readonly string[]): string | null =>
  names.length === 0 ? null : `it sets ${names.slice(0, 5).join(', ')}`;

const json = (text: string): string | null => namesOf(secretsInJson(text));
const yaml = (text: string): string | null => namesOf(secretsInYaml(text));

export const exposedCredentials = exposedFile(
  {
    id: 'exposed-credentials',
    title: 'A file with credentials is public',
    severity: 'critical',
    cwe: [538, 522],
    owasp: ['A01:2021', 'A01:2025'],
    wstg: ['WSTG-CONF-04'],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
    references: [
      'https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-files.html',
      'https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html',
    ],
    decides:
      'Requests `/.aws/credentials`, `/.netrc`, `/sftp-config.json`, `/.vscode/sftp.json`, `/config.json`, `/config.yml` and `/config.yaml`. It is vulnerable if a response has the format of that file and sets a password or a secret key that is no placeholder; only the names are recorded in the finding. It is fixed when no path returns such content.',
    text: `A file with the credentials of other systems can be fetched from the web server: keys of a cloud account, logins of
command-line clients or editors, or the configuration of the application with its passwords.

**How to fix it.** Delete the file from the root of the site, and let the server answer 404 for names that begin with a
dot. Change every password and key in the file: assume that attackers have read it. Keep configuration in a folder that
the web server does not serve.`,
    inFolders: true,
  },
  [
    { path: '/.aws/credentials', identify: aws },
    { path: '/.netrc', identify: netrc },
    { path: '/sftp-config.json', identify: sftp },
    { path: '/.vscode/sftp.json', identify: sftp },
    { path: '/config.json', identify: json, whole: true },
    { path: '/config.yml', identify: yaml },
    { path: '/config.yaml', identify: yaml },
  ],
);
