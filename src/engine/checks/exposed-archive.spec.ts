import { gzipSync } from 'node:zlib';
import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { lookalikeSites } from '../testing/lookalike-sites';
import { describeWithNginx, seenOnNginx } from '../testing/real-nginx';
import { archiveIn, exposedArchive } from './exposed-archive';

const at = (path: string, body: string, status = 200): Site => ({
  pages: { [path]: { status, headers: { 'content-type': 'application/octet-stream' }, body } },
});

/** The header of an entry with the name `name` and sizes of zero. */
const zip = (name: string): string =>
  `PK\x03\x04${'\0'.repeat(22)}${String.fromCharCode(name.length)}\0\0\0${name}the first entry`;

truthTable(exposedArchive, {
  scheme: 'http',
  vulnerable: at('/backup.zip', zip('wp-config.php')),
  fixed: {},
  alsoVulnerable: {
    'it is named as the host': at('/target.test.zip', zip('index.php')),
    'it has another format': at('/www.zip', 'Rar!\x1a\x07\0'),
    'only a part of it was asked for': at('/www.zip', zip('.git/HEAD'), 206),
  },
  softErrors: lookalikeSites(zip('index.php')),
  lookalikes: {
    'it has no entry': at('/backup.zip', `PK\x05\x06${'\0'.repeat(18)}`),
    'it is not quite one': at('/backup.zip', 'PK\x03\x04'),
  },
});

describe('archiveIn', () => {
  it.each([
    ['gzip', gzipSync('content')],
    ['tar', Buffer.from(`${'backup/'.padEnd(257, '\0')}ustar\x0000`)],
    ['7-Zip', Buffer.from('377abcaf271c0004', 'hex')],
  ])('knows %s', (name, start) => {
    expect(archiveIn(start)).toContain(name);
  });

  it.each([Buffer.alloc(0), Buffer.from([0x1f, 0x8b, 0x08, 0xff]), Buffer.from('<html>')])('knows no %s', (start) => {
    expect(archiveIn(start)).toBeNull();
  });
});

describeWithNginx('exposed-archive on a real nginx', () => {
  it('is vulnerable with a large archive, and downloads only its beginning', async () => {
    const files = { 'backup.tar.gz': Buffer.concat([gzipSync('content'), Buffer.alloc(6_000_000)]) };
    expect(await seenOnNginx(exposedArchive, { directives: '', files })).toMatchObject({ state: 'vulnerable' });
  });

  it('is not vulnerable without one', async () => {
    expect(await seenOnNginx(exposedArchive, { directives: '' })).toMatchObject({ state: 'not_vulnerable' });
  });
});
