import { exposedDownload } from '../protocols/http/exposed-download';
import { archiveIn } from '../protocols/http/archive-in';

export const exposedArchive = exposedDownload(
  {
    id: 'exposed-archive',
    title: 'A backup of the site is public',
    severity: 'high',
    cwe: 530,
    text: `An archive under a name that backups usually have can be fetched from the web server. Such archives hold
the source code, and the configuration with its passwords and keys.

**How to fix it.** Delete the file from the server, and keep backups in a place outside the root of the site. If it
holds secrets, change them: assume that it has been read. If it is meant for everybody, give it a name that says what
it is.`,
  },
  (host) => ['/backup.zip', '/backup.tar.gz', '/www.zip', `/${host}.zip`],
  archiveIn,
);
