import { exposedFile } from '../protocols/http/exposed-file';

const HEAD = /^(?:ref: refs\/[\w./-]{1,200}|[0-9a-f]{40}(?:[0-9a-f]{24})?)\s*$/;
const CONFIG = /^[ \t]{0,20}\[core\][ \t\r]{0,20}\n[^[]{0,2000}repositoryformatversion[ \t]{0,20}=/m;

/** The signature and the version of the index. */
const isIndex = (text: string): boolean =>
  [2, 3, 4].some((version) => text.startsWith(`DIRC\0\0\0${String.fromCharCode(version)}`));
/** Two commit ids, the author and the time. */
const LOG =
  /^[0-9a-f]{40}(?:[0-9a-f]{24})? [0-9a-f]{40}(?:[0-9a-f]{24})? [^<\r\n]{0,300}<[^>\r\n]{0,300}> \d{9,11} [+-]\d{4}\b/;

export const exposedGit = exposedFile(
  {
    id: 'exposed-git',
    title: 'A Git repository is public',
    severity: 'high',
    cwe: [527],
    owasp: ['A01:2021', 'A01:2025'],
    wstg: ['WSTG-CONF-04'],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
    references: [
      'https://git-scm.com/docs/gitrepository-layout',
      'https://nginx.org/en/docs/http/ngx_http_core_module.html#location',
    ],
    decides:
      'Requests `/.git/HEAD`, `/.git/config`, `/.git/index` and `/.git/logs/HEAD`. It is vulnerable if a response has the content of a Git reference, configuration, index or log, not by its status alone. It is fixed when no path returns such content.',
    text: `The folder \`.git\` can be fetched from the web server. Tools rebuild the whole repository from it: the source code,
its history, and every password or key that was ever committed.

**How to fix it.** Deploy the files of the site without \`.git\`, and let the server answer 404 for it, in nginx:

    location ~ /\\.git { return 404; }

Change every secret that the repository has ever contained: assume that attackers have read it.`,
    inFolders: true,
  },
  [
    {
      path: '/.git/HEAD',
      identify: (text) => (HEAD.test(text) ? 'it names the current branch of a repository' : null),
    },
    {
      path: '/.git/config',
      identify: (text) => (CONFIG.test(text) ? 'it is the configuration of a repository' : null),
    },
    {
      path: '/.git/index',
      identify: (text) => (isIndex(text) ? 'it is the list of the files of a repository' : null),
    },
    {
      path: '/.git/logs/HEAD',
      identify: (text) => (LOG.test(text) ? 'it is the log of a repository' : null),
    },
  ],
);
