import { exposedDownload } from '../protocols/http/exposed-download';

const DATABASE = /^SQLite format 3\p{Cc}/u;
const ENTRIES = /^\d{1,2}\r?\n\r?\ndir\r?\n\d{1,10}\r?\n/;

function identify(start: Buffer): string | null {
  const text = start.toString('latin1');
  if (DATABASE.test(text)) return 'it is the database of a working copy';
  return ENTRIES.test(text) ? 'it lists the files of a working copy' : null;
}

export const exposedSvn = exposedDownload(
  {
    id: 'exposed-svn',
    title: 'A Subversion working copy is public',
    severity: 'high',
    cwe: [527],
    owasp: ['A01:2021', 'A01:2025'],
    wstg: ['WSTG-CONF-04'],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
    references: ['https://svnbook.red-bean.com/en/1.8/svn.ref.svn.c.export.html'],
    decides:
      'Requests the first bytes of `/.svn/wc.db` and `/.svn/entries`. It is vulnerable if they are the database or the file list of a working copy. It is fixed when neither path returns such content.',
    text: `The folder \`.svn\` can be fetched from the web server. Tools rebuild the source code from it, with every
password or key that is in it.

**How to fix it.** Deploy with \`svn export\` instead of a working copy, and let the server answer 404 for the
folder, in nginx:

    location ~ /\\.svn { return 404; }

Change the secrets that the source code contains: assume that attackers have read it.`,
    inFolders: true,
  },
  () => ['/.svn/wc.db', '/.svn/entries'],
  identify,
);
