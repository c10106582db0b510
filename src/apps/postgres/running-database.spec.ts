import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processStart } from './processes';
import { runningDatabase } from './running-database';

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'assay-spec-'));
  mkdirSync(join(dataDir, 'cluster'));
  const passwords = { postgres: 'super', assay_owner: 'of-owner', assay_app: 'of-app' };
  writeFileSync(join(dataDir, 'cluster', 'assay-passwords.json'), JSON.stringify(passwords));
});

afterEach(() => {
  rmSync(dataDir, { recursive: true, force: true });
});

function recordInstance(facts: object): void {
  const holder = { pid: process.pid, started: processStart(process.pid), ...facts };
  writeFileSync(join(dataDir, 'instance.json'), JSON.stringify(holder));
}

const address = { host: '/run/assay', port: 5432 };

/** Root can read every file, so it reads as another user. */
function asOrdinaryUser(read: () => unknown): unknown {
  if (process.getuid?.() !== 0) return read();
  process.seteuid?.(65_534);
  try {
    return read();
  } finally {
    process.seteuid?.(0);
  }
}

describe('the database of a running npm start', () => {
  it('has a URL for each role', () => {
    recordInstance({ address });
    expect(runningDatabase(dataDir)).toEqual({
      appUrl: 'postgres://assay_app:of-app@/assay?host=%2Frun%2Fassay&port=5432&sslmode=disable',
      migrationUrl: 'postgres://assay_owner:of-owner@/assay?host=%2Frun%2Fassay&port=5432&sslmode=disable',
    });
  });

  it('is not that of an instance that was killed', () => {
    recordInstance({ address, started: 'at another time' });
    expect(() => runningDatabase(dataDir)).toThrow(`no Assay is running on the data in ${dataDir}`);
  });

  it('is not available before the tables are created', () => {
    recordInstance({});
    expect(() => runningDatabase(dataDir)).toThrow('Assay is starting on the data');
  });

  it.each(['instance.json', 'cluster/assay-passwords.json'])('is only for the user who can read %s', (file) => {
    recordInstance({ address });
    chmodSync(dataDir, 0o711);
    chmodSync(join(dataDir, file), 0o000);
    expect(() => asOrdinaryUser(() => runningDatabase(dataDir))).toThrow(
      `The data in ${dataDir} belongs to another user. Run the command as the user who runs \`npm start\`.`,
    );
  });
});
