import { exposedDownload } from '../protocols/http/exposed-download';

const startsWith = (start: Buffer, ...bytes: number[]): boolean =>
  start.subarray(0, bytes.length).equals(Buffer.from(bytes));

/** A ZIP archive that is not empty begins with the name of its first entry. */
function zip(start: Buffer): string | null {
  if (!startsWith(start, 0x50, 0x4b, 0x03, 0x04) || start.length < 30) return null;
  const name = start.toString('utf8', 30, 30 + start.readUInt16LE(26));
  return /^[^\p{Cc}]{1,500}$/u.test(name) ? `it is a ZIP archive, in which ${name.slice(0, 100)} comes first` : null;
}

const FORMATS: readonly ((start: Buffer) => string | null)[] = [
  zip,
  // The method is always deflate, and only five flags are defined.
  (start) => (startsWith(start, 0x1f, 0x8b, 0x08) && (start[3] ?? 255) < 0x20 ? 'it is packed with gzip' : null),
  (start) => (start.toString('latin1', 257, 262) === 'ustar' ? 'it is a tar archive' : null),
  (start) => (startsWith(start, 0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c) ? 'it is a 7-Zip archive' : null),
  (start) => (start.toString('latin1', 0, 6) === 'Rar!\x1a\x07' ? 'it is a RAR archive' : null),
];

/** The format of an archive by its first bytes; null if it is not a known archive. */
export function archiveIn(start: Buffer): string | null {
  for (const format of FORMATS) {
    const found = format(start);
    if (found !== null) return found;
  }
  return null;
}

export const exposedArchive = exposedDownload(
  {
    id: 'exposed-archive',
    title: 'A backup of the site is public',
    severity: 'high',
    cwe: [530],
    owasp: ['A01:2021', 'A01:2025'],
    wstg: ['WSTG-CONF-04'],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
    references: ['https://attack.mitre.org/techniques/T1595/003/'],
    decides:
      'Requests the first bytes of `backup`, `www`, `site` and the host name, each with `.zip` and `.tar.gz`. It is vulnerable if they are the beginning of a ZIP, gzip, tar, 7-Zip or RAR archive. It is fixed when no path returns an archive.',
    text: `An archive with a typical name of a backup can be downloaded from the web server. Such archives contain the
source code, and the configuration with its passwords and keys.

**How to fix it.** Delete the file from the server, and keep backups in a place outside the root of the site. If it
holds secrets, change them: assume that attackers have read it. If it is meant to be public, give it a descriptive
name.`,
    inFolders: true,
  },
  (host) => {
    const names = ['backup', 'www', 'site', host];
    // A site at www is often archived under its name without www.
    const bare = host.startsWith('www.') ? [`/${host.slice(4)}.zip`] : [];
    return [...names.flatMap((name) => [`/${name}.zip`, `/${name}.tar.gz`]), ...bare];
  },
  archiveIn,
);
