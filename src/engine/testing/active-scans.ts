import type { IncomingMessage } from 'node:http';
import { activeCheck } from '../active/active-check';
import { activeScan } from '../active/active-scan';
import type { ActiveScan, ActiveScanRequest } from '../active/active-scan-request';
import type { Oracle } from '../active/experiment';
import type { WebCheck } from '../check';
import { MemoryInventory } from './memory-inventory';
import type { Reply } from './target-server';
import { HOST, sharedTestTarget, type TestTarget } from './test-target';

/** Proves that the application calculates with its input. This is not a real weakness, but easy to build. */
const calculating: Oracle = {
  async observe(experiment) {
    const answer = await experiment.send('calculate(191*7)', { expects: 'the product' });
    const disturbance = await experiment.disturbance(answer);
    if (disturbance !== null) return { state: 'disturbed', reason: disturbance };
    const isProved = answer.text.includes('=1337=');
    return isProved
      ? { state: 'proved', detail: 'It calculates.', certainty: 'certain', variant: 'product' }
      : { state: 'sound', detail: 'It does not calculate.' };
  },
};

export const checkWith = (oracle: Partial<Oracle> = {}, id = 'calculating'): WebCheck =>
  activeCheck(
    {
      id,
      title: 'It calculates',
      severity: 'high',
      cwe: [94],
      owasp: ['A03:2021'],
      wstg: [],
      cvss: null,
      references: [],
      decides: '',
      text: '',
    },
    { ...calculating, ...oracle },
  );

/** What a page with the weakness returns for a value. */
export const calculated = (value: string | null): string => (value === 'calculate(191*7)' ? '=1337=' : `[${value}]`);

export const page = (text: string): string =>
  `<!doctype html><html><head><title>A page</title></head><body>${text}</body></html>`;

export type Router = (url: URL, request: IncomingMessage) => Reply | string | null;

interface ActiveTests {
  readonly testTarget: () => TestTarget;
  /** All requested paths, with queries. */
  readonly requested: () => readonly string[];
  readonly scan: (site: Router, request?: Partial<ActiveScanRequest>) => Promise<ActiveScan>;
  /** The inventory of the last scan. */
  readonly inventory: () => MemoryInventory;
}

/** Runs active scans of sites in this process. */
export function activeTests(): ActiveTests {
  const testTarget = sharedTestTarget();
  const requested: string[] = [];
  let kept = new MemoryInventory();
  return {
    testTarget,
    requested: () => requested,
    inventory: () => kept,
    scan: async (site, request = {}) => {
      requested.length = 0;
      kept = (request.inventory as MemoryInventory | undefined) ?? new MemoryInventory();
      const answer = (incoming: IncomingMessage): Reply | null => {
        requested.push(incoming.url ?? '');
        const reply = site(new URL(incoming.url ?? '', `http://${HOST}`), incoming);
        return typeof reply === 'string' ? { body: reply } : reply;
      };
      testTarget().server.site = { answer };
      return activeScan({
        target: { scheme: 'http', host: HOST, port: testTarget().server.port, path: '/' },
        checks: [checkWith()],
        transport: testTarget().transport(4_000, () => () => {}),
        via: { signal: new AbortController().signal },
        otherWww: async () => null,
        seeds: [],
        inventory: kept,
        limits: { ms: 60_000, requests: 5_000 },
        ...request,
      });
    },
  };
}
