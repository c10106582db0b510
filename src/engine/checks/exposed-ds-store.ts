import { exposedDownload } from '../protocols/http/exposed-download';

const MAGIC = Buffer.from('0000000142756431', 'hex');

export const exposedDsStore = exposedDownload(
  {
    id: 'exposed-ds-store',
    title: 'A macOS .DS_Store file lists the files of a folder',
    severity: 'low',
    cwe: [538],
    owasp: ['A01:2021', 'A01:2025'],
    wstg: ['WSTG-CONF-04'],
    cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N',
    references: ['https://en.wikipedia.org/wiki/.DS_Store'],
    decides:
      'Requests the first bytes of `/.DS_Store`. It is vulnerable if they have the signature of the file format. It is fixed when the path returns no such file.',
    text: `The file \`.DS_Store\` was uploaded with the site from a Mac. It contains the names of all files and folders
next to it, including those that no page links to.

**How to fix it.** Delete the file everywhere below the root of the site, leave it out of what is deployed, and let
the server answer 404 for names that begin with a dot. Then review the names in it: remove files that are not meant
to be public.`,
    inFolders: true,
  },
  () => ['/.DS_Store'],
  (start) => (start.subarray(0, MAGIC.length).equals(MAGIC) ? 'it holds the names of the files beside it' : null),
);
