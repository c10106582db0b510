import { type Check, isWebCheck, type DnsCheck, type TcpCheck, type WebCheck } from '../check';
import { detect } from '../detect';
import type { Baseline } from '../baseline';
import type { Target } from '../target';
import { type ProbePolicy, type Verdict, type Verification, verify } from '../verdict';
import { DECISIVE_REQUESTS } from '../client-behaviors';
import {
  type Lookalikes,
  SERVICE_LOOKALIKES,
  serviceSetup,
  siteSetup,
  type States,
  webLookalikes,
  webStates,
  type WebStates,
  zoneLookalikes,
  zoneSetup,
  type ZoneStates,
} from './target-states';
import {
  type FaultScenario,
  outagesFor,
  serviceFaultScenarios,
  webFaultScenarios,
  withFrontPage,
  zoneFaultScenarios,
} from './fault-scenarios';
import { hasEveryCombination } from './reference-checks';
import { SeededRandom } from './seeded-random';
import { initialVerificationTable } from './initial-verification-table';
import { HOST, sharedTestTarget, type TargetSetup, type TestTarget } from './test-target';
import type { Service } from './target-server';

/** The maximum number of requests per verification and address: 20 s at the default pace, 40 s with incomplete fixes. */
const mostRequestsOf = ({ id }: Check): number => (/^(?:open-r|reflected-i|graphql-i)/.test(id) ? 160 : 80);
/**
 * The order of requests is seeded for each row. With an unpredictable order, one of 650 verifications would miss the one
 * vulnerable server of three, as docs/verdicts.md computes.
 */
function policyFor(row: string): ProbePolicy {
  const random = new SeededRandom(Buffer.from(row).reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193), 1));
  return { probes: 3, spreadMs: 4, randomBelow: (limit) => random.below(limit) };
}
const LONG = 4_000;
/** For targets that never complete a response. */
const SHORT = 60;
const THIRD = 2;
const AFTER_THE_LAST = DECISIVE_REQUESTS;

interface Case {
  readonly name: string;
  readonly result: Verdict['result'];
  readonly setup: (turn: number) => TargetSetup;
  readonly exchangeMs?: number;
  /** The state that the baseline is taken from; by default the vulnerable target of the table. */
  readonly vulnerable?: TargetSetup;
}

interface Table {
  readonly check: Check;
  readonly target: (port: number) => Target;
  readonly vulnerable: TargetSetup;
  readonly cases: readonly Case[];
}

const always =
  (setup: TargetSetup): Case['setup'] =>
  () =>
    setup;

const from =
  (turn: number, before: TargetSetup, after: TargetSetup): Case['setup'] =>
  (now) =>
    now < turn ? before : after;

/** The rows: the states of the check, then everything that only looks like them. */
function rows<State>(
  check: Check,
  states: States<State>,
  setup: (state: State) => TargetSetup,
  looks: Lookalikes,
  faults: readonly FaultScenario[],
): Case[] {
  const [vulnerable, fixed] = [setup(states.vulnerable), setup(states.fixed)];
  const all = (named: Readonly<Record<string, State>> = {}): [string, TargetSetup][] =>
    Object.entries(named).map(([name, state]) => [name, setup(state)]);
  const row = (name: string, result: Case['result'], one: TargetSetup): Case => ({ name, result, setup: always(one) });
  const quick = [...all(states.lookalikes), ...Object.entries(looks.quick)];
  const breakdown = Object.values(looks.quick)[0] ?? vulnerable;
  const late: Case[] =
    check.on === 'tcp' || !hasEveryCombination(check)
      ? []
      : [
          {
            name: 'it breaks down after the last repeat',
            result: 'inconclusive',
            setup: from(AFTER_THE_LAST, fixed, breakdown),
          },
        ];
  return [
    { name: 'it is vulnerable', result: 'still_vulnerable', setup: always(vulnerable) },
    { name: 'it is fixed', result: 'fixed', setup: always(fixed) },
    ...all(states.alsoVulnerable).map(([name, one]) => row(name, 'still_vulnerable', one)),
    ...all(states.alsoFixed).map(([name, one]) => row(name, 'fixed', one)),
    ...all(states.alsoBlocked).map(([name, one]) => row(name, 'blocked', one)),
    ...Object.entries(states.otherTargets ?? {}).flatMap(([name, pair]): Case[] => [
      {
        name: `${name}, and is vulnerable`,
        result: 'still_vulnerable',
        vulnerable: setup(pair.vulnerable),
        setup: always(setup(pair.vulnerable)),
      },
      {
        name: `${name}, and is fixed`,
        result: 'fixed',
        vulnerable: setup(pair.vulnerable),
        setup: always(setup(pair.fixed)),
      },
    ]),
    {
      name: 'it is vulnerable again at the third probe',
      result: 'still_vulnerable',
      setup: from(THIRD, fixed, vulnerable),
    },
    { name: 'it breaks down at the third probe', result: 'inconclusive', setup: from(THIRD, fixed, breakdown) },
    ...late,
    ...faults.map(({ name, result, setup: one }): Case => ({ name, result, setup: always(one) })),
    ...quick.map(([name, one]): Case => ({ name, result: 'inconclusive', setup: always(one) })),
    ...Object.entries(looks.slow).map(([name, one]): Case => ({
      name,
      result: 'inconclusive',
      setup: always(one),
      exchangeMs: SHORT,
    })),
  ];
}

const tableOf = <State>(
  check: Check,
  states: States<State>,
  setup: (state: State) => TargetSetup,
  looks: Lookalikes,
  faults: readonly FaultScenario[],
  target: Table['target'],
): Table => ({ check, target, vulnerable: setup(states.vulnerable), cases: rows(check, states, setup, looks, faults) });

async function baselineOf(
  { check, target }: Table,
  vulnerable: TargetSetup,
  testTarget: TestTarget,
  signal: AbortSignal,
): Promise<Baseline> {
  const seen = await detect(check, target(testTarget.server.port), testTarget.transport(LONG, always(vulnerable)), {
    signal,
  });
  if (seen === null) throw new Error(`${check.id} does not apply to its own vulnerable target`);
  if (seen.observation.state !== 'vulnerable' || seen.baseline === null) {
    throw new Error(`${check.id} does not see its own weakness: ${seen.observation.detail}`);
  }
  return seen.baseline;
}

/** Learns each baseline once for all rows, and returns it as a database would. */
function baselines(table: Table, testTarget: () => TestTarget): (vulnerable: TargetSetup) => Promise<Baseline> {
  const learned = new Map<TargetSetup, Promise<Baseline>>();
  const learn = async (vulnerable: TargetSetup): Promise<Baseline> => {
    const baseline = await baselineOf(table, vulnerable, testTarget(), new AbortController().signal);
    await testTarget().reset();
    return JSON.parse(JSON.stringify(baseline));
  };
  return (vulnerable) => {
    const known = learned.get(vulnerable) ?? learn(vulnerable);
    learned.set(vulnerable, known);
    return known;
  };
}

/** A zone has several servers. Responses that are reused were requested once. */
function mostRequestsToOneAddress(probes: Verification['probes']): number {
  const counts = new Map<string | null, number>();
  for (const { address } of new Set(probes.flatMap(({ exchanges }) => exchanges)))
    counts.set(address, (counts.get(address) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}

function run(table: Table): void {
  const { check, target, cases } = table;
  describe(`${check.id}: truth table`, () => {
    const testTarget = sharedTestTarget();
    const baselineFor = baselines(table, testTarget);
    it.each(cases.map((one) => [one.name, one.result, one] as const))('%s: %s', async (_name, result, one) => {
      const { signal } = new AbortController();
      const before = await baselineFor(one.vulnerable ?? table.vulnerable);
      const transport = testTarget().transport(one.exchangeMs ?? LONG, one.setup);
      const { verdict, probes } = await verify(
        check,
        target(testTarget().server.port),
        before,
        transport,
        { signal, isOwn: async () => true },
        async () => null,
        policyFor(`${check.id} ${one.name}`),
      );
      expect(mostRequestsToOneAddress(probes)).toBeLessThanOrEqual(mostRequestsOf(check));
      expect(`${verdict.result}: ${verdict.reason}`).toMatch(new RegExp(`^${result}: .`));
    });
  });
}

const webTarget =
  ({ schemes = ['https'] }: WebCheck, { scheme, path = '/', parameter }: WebStates): Table['target'] =>
  (port) => ({
    scheme: scheme ?? schemes[0] ?? 'https',
    host: HOST,
    port,
    path,
    ...(parameter !== undefined && { parameter }),
  });

type WebPair = [check: WebCheck, states: WebStates];
type ServicePair = [check: TcpCheck, states: States<Service>];
type ZonePair = [check: DnsCheck, states: ZoneStates];

const isWebPair = (pair: WebPair | ServicePair | ZonePair): pair is WebPair => isWebCheck(pair[0]);
const isServicePair = (pair: ServicePair | ZonePair): pair is ServicePair => pair[0].on === 'tcp';

function tableFor(pair: WebPair | ServicePair | ZonePair): Table {
  if (isWebPair(pair)) {
    const [check, given] = pair;
    const states = webStates(check, given);
    return tableOf(
      check,
      states,
      siteSetup,
      webLookalikes(check, states),
      webFaultScenarios(check, states),
      webTarget(check, states),
    );
  }
  const plain = { host: HOST, path: '/' };
  return isServicePair(pair)
    ? tableOf(...pair, serviceSetup, SERVICE_LOOKALIKES, serviceFaultScenarios(pair[1]), (port) => ({
        ...plain,
        scheme: 'tcp',
        port,
      }))
    : tableOf(...pair, zoneSetup, zoneLookalikes(pair[1]), zoneFaultScenarios(pair[1]), () => ({
        ...plain,
        scheme: 'dns',
        port: 53,
      }));
}

/** A page that is seen during an outage must not become the baseline for the working page. */
function outages(check: WebCheck, states: WebStates, target: Table['target']): void {
  if (check.selfEvident !== true || (states.path ?? '/') !== '/') return;
  const [vulnerable, fixed] = [siteSetup(states.vulnerable), siteSetup(states.fixed)];
  const table: Table = { check, target, vulnerable, cases: [] };
  describe(`${check.id}: an outage of the front page`, () => {
    const testTarget = sharedTestTarget();
    const baselineFor = baselines(table, testTarget);
    it.each(outagesFor(check))('that %s does not prevent a later "fixed"', async (name, reply) => {
      const { signal } = new AbortController();
      const test = async (before: Baseline, setup: TargetSetup): Promise<Verification> =>
        verify(
          check,
          target(testTarget().server.port),
          before,
          testTarget().transport(LONG, always(setup)),
          { signal },
          async () => null,
          policyFor(`${check.id} ${name}`),
        );
      const before = await baselineFor(vulnerable);
      const during = await test(before, withFrontPage(states.vulnerable, reply));
      expect(during.verdict.result).toBe('still_vulnerable');
      const { verdict } = await test(during.baseline ?? before, fixed);
      expect(`${verdict.result}: ${verdict.reason}`).toMatch(/^fixed: ./);
    });
  });
}

/**
 * The truth table of a check: its vulnerable target, its fixed target, and targets that only look fixed, on real servers.
 * Registers the cases with the test runner.
 */
export function truthTable(...pair: WebPair | ServicePair | ZonePair): void {
  run(tableFor(pair));
  if (!isWebPair(pair)) return;
  initialVerificationTable(...pair, webTarget(...pair));
  outages(...pair, webTarget(...pair));
}
