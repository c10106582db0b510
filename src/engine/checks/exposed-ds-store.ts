import { exposedDownload } from '../protocols/http/exposed-download';

const MAGIC = Buffer.from('0000000142756431', 'hex');

export const exposedDsStore = exposedDownload(
  {
    id: 'exposed-ds-store',
    title: 'A file of the macOS Finder lists what is in a folder',
    severity: 'low',
    cwe: 538,
    text: `The file \`.DS_Store\` was uploaded with the site from a Mac. It holds the names of the files and folders
beside it, also of those that no page links to.

**How to fix it.** Delete the file everywhere below the root of the site, leave it out of what is deployed, and let
the server answer 404 for names that begin with a dot. Then look through the names in it: whatever is not meant for
everybody must not be there.`,
  },
  () => ['/.DS_Store'],
  (start) => (start.subarray(0, MAGIC.length).equals(MAGIC) ? 'it holds the names of the files beside it' : null),
);
