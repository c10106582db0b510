import { activeScan, CHECKS, parseLocation, parseTarget, Transport } from '../../src/engine';
import { isWeb } from '../../src/engine/target';
import { MemoryInventory } from '../../src/engine/testing/memory-inventory';
import type { Benchmark, Category, Report, Scanned } from './benchmark';

const NAMES: Readonly<Record<string, Category>> = {
  'sql-injection': 'SQL injection',
  'reflected-input': 'cross-site scripting',
  'command-injection': 'command injection',
  'path-traversal': 'path traversal',
  'open-redirect': 'open redirect',
  'header-injection': 'header injection',
  'template-injection': 'template injection',
};

/** Loopback only; a job on the internet sends four a second. */
const PER_SECOND = 500;
const LIMITS = { ms: 2 * 3_600_000, requests: 100_000 };

const reportOf = (check: string, location: string): Report[] => {
  const { path, parameter = '' } = parseLocation(location);
  const category = NAMES[check];
  return category === undefined ? [] : [{ category, method: 'GET', path, parameter }];
};

/** The active scan of a job, without the service around it. */
export async function runAssay({ folder, entries, seeds }: Benchmark, url: string): Promise<Scanned> {
  const target = parseTarget(new URL(entries[0] ?? folder, url).href);
  if (!isWeb(target)) throw new Error(`${url} is no web application`);
  const { port } = target;
  const transport = new Transport({
    userAgent: 'assay-bench',
    egressAllow: [{ address: '127.0.0.1', port }],
    limits: { perSecond: PER_SECOND },
  });
  const inventory = new MemoryInventory();
  const { end, reason, points, tested } = await activeScan({
    target,
    checks: CHECKS.filter(({ id }) => Object.hasOwn(NAMES, id)),
    transport,
    via: { signal: new AbortController().signal },
    otherWww: async () => null,
    isInScope: ({ path }) => path.startsWith(folder),
    seeds: [...entries.map((path) => ({ path })), ...seeds],
    inventory,
    limits: LIMITS,
  });
  const disturbed = inventory.results.filter(({ coverage }) => coverage.outcome === 'inconclusive');
  return {
    reports: inventory.results.flatMap(({ sighting }) =>
      sighting === null ? [] : reportOf(sighting.check, sighting.location),
    ),
    notes: [
      `${end}, ${tested} of ${points} points${reason === null ? '' : `: ${reason}`}`,
      ...disturbed.map(({ coverage }) => `inconclusive: ${coverage.check} ${coverage.location}: ${coverage.reason}`),
    ],
  };
}
