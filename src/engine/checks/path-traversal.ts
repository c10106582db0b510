import { activeCheck } from '../active/active-check';
import { pathTraversal as oracle } from '../active/oracles/path-traversal';

export const pathTraversal = activeCheck(
  {
    id: 'path-traversal',
    title: 'Path traversal',
    severity: 'high',
    cwe: [22],
    owasp: ['A01:2021', 'A01:2025'],
    wstg: ['WSTG-ATHZ-01'],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
    references: [
      'https://owasp.org/www-community/attacks/Path_Traversal',
      'https://cheatsheetseries.owasp.org/cheatsheets/Input_Validation_Cheat_Sheet.html',
    ],
    decides:
      'Sends the paths of a file that no account can write (`/proc/version`, `license.rtf` of Windows, or the `MANIFEST.MF` of a Java application behind a folder that does not exist) in several spellings. It is vulnerable if thirty answers follow thirty random choices between this file and a name that cannot exist; where the text is not shown, between paths of `/proc` that exist and paths that do not. It is fixed when the answers follow neither.',
    text: `The application opens a file whose name comes from a request. Attackers read what the server can read: configuration with
passwords, keys, source code. Where the application runs the file as code, as \`include\` of PHP does, they may run code of their own.

**How to fix it.** Do not build paths from input: choose the file by an identifier from a list. If a path is necessary, resolve it
(\`realpath\`) and refuse it unless the result is below the intended folder.`,
  },
  oracle,
);
