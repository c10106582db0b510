import { exposedDownload } from '../protocols/http/exposed-download';

const MAGIC = Buffer.from('0000000142756431', 'hex');

export const exposedDsStore = exposedDownload(
  {
    id: 'exposed-ds-store',
    title: 'A macOS .DS_Store file lists the files of a folder',
    severity: 'low',
    cwe: 538,
    text: `The file \`.DS_Store\` was uploaded with the site from a Mac. It contains the names of all files and folders
next to it, including those that no page links to.

**How to fix it.** Delete the file everywhere below the root of the site, leave it out of what is deployed, and let
the server answer 404 for names that begin with a dot. Then review the names in it: remove files that are not meant
to be public.`,
  },
  () => ['/.DS_Store'],
  (start) => (start.subarray(0, MAGIC.length).equals(MAGIC) ? 'it holds the names of the files beside it' : null),
);
