import { type Check, isWebCheck, type DnsCheck, type TcpCheck, type WebCheck } from '../check';
import { detect } from '../detect';
import type { Baseline } from '../baseline';
import type { Target } from '../target';
import { type Verdict, type Verification, verify } from '../verdict';
import { DECISIVE_REQUESTS } from '../probe-session';
import {
  type Lookalikes,
  SERVICE_LOOKALIKES,
  serviceScene,
  siteScene,
  type States,
  webLookalikes,
  webStates,
  type WebStates,
  zoneLookalikes,
  zoneScene,
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
import { firstLooks } from './initial-verification-table';
import { HOST, type Scene, Stage } from './test-target';
import type { Service } from './target-server';

/** What one verification at one address may cost the target: a quarter of a minute at the default pace. */
const MOST_REQUESTS = 60;
const PATIENCE = { probes: 3, spreadMs: 4 };
const LONG = 4_000;
/** For targets that use all the time they are given. */
const SHORT = 60;
const THIRD = 2;
const AFTER_THE_LAST = DECISIVE_REQUESTS;

interface Case {
  readonly name: string;
  readonly result: Verdict['result'];
  readonly scene: (turn: number) => Scene;
  readonly exchangeMs?: number;
  /** What the baseline is taken of; the vulnerable target of the table by default. */
  readonly vulnerable?: Scene;
}

interface Table {
  readonly check: Check;
  readonly target: (port: number) => Target;
  readonly vulnerable: Scene;
  readonly cases: readonly Case[];
}

const always =
  (scene: Scene): Case['scene'] =>
  () =>
    scene;

const from =
  (turn: number, before: Scene, after: Scene): Case['scene'] =>
  (now) =>
    now < turn ? before : after;

/** The rows: the check's own states, then all that only looks like them. */
function rows<State>(
  check: Check,
  states: States<State>,
  scene: (state: State) => Scene,
  looks: Lookalikes,
  faults: readonly FaultScenario[],
): Case[] {
  const [vulnerable, fixed] = [scene(states.vulnerable), scene(states.fixed)];
  const all = (named: Readonly<Record<string, State>> = {}): [string, Scene][] =>
    Object.entries(named).map(([name, state]) => [name, scene(state)]);
  const quick = [...all(states.lookalikes), ...Object.entries(looks.quick)];
  const breakdown = Object.values(looks.quick)[0] ?? vulnerable;
  const late: Case[] =
    check.on === 'tcp' || !hasEveryCombination(check)
      ? []
      : [
          {
            name: 'it breaks down after the last look',
            result: 'inconclusive',
            scene: from(AFTER_THE_LAST, fixed, breakdown),
          },
        ];
  return [
    { name: 'it is vulnerable', result: 'still_vulnerable', scene: always(vulnerable) },
    { name: 'it is fixed', result: 'fixed', scene: always(fixed) },
    ...all(states.alsoVulnerable).map(([name, one]): Case => ({
      name,
      result: 'still_vulnerable',
      scene: always(one),
    })),
    ...all(states.alsoFixed).map(([name, one]): Case => ({ name, result: 'fixed', scene: always(one) })),
    ...Object.entries(states.otherTargets ?? {}).flatMap(([name, pair]): Case[] => [
      {
        name: `${name}, and is vulnerable`,
        result: 'still_vulnerable',
        vulnerable: scene(pair.vulnerable),
        scene: always(scene(pair.vulnerable)),
      },
      {
        name: `${name}, and is fixed`,
        result: 'fixed',
        vulnerable: scene(pair.vulnerable),
        scene: always(scene(pair.fixed)),
      },
    ]),
    {
      name: 'it is vulnerable again at the third probe',
      result: 'still_vulnerable',
      scene: from(THIRD, fixed, vulnerable),
    },
    { name: 'it breaks down at the third probe', result: 'inconclusive', scene: from(THIRD, fixed, breakdown) },
    ...late,
    ...faults.map(({ name, result, scene: one }): Case => ({ name, result, scene: always(one) })),
    ...quick.map(([name, one]): Case => ({ name, result: 'inconclusive', scene: always(one) })),
    ...Object.entries(looks.slow).map(([name, one]): Case => ({
      name,
      result: 'inconclusive',
      scene: always(one),
      exchangeMs: SHORT,
    })),
  ];
}

const tableOf = <State>(
  check: Check,
  states: States<State>,
  scene: (state: State) => Scene,
  looks: Lookalikes,
  faults: readonly FaultScenario[],
  target: Table['target'],
): Table => ({ check, target, vulnerable: scene(states.vulnerable), cases: rows(check, states, scene, looks, faults) });

async function baselineOf(
  { check, target }: Table,
  vulnerable: Scene,
  stage: Stage,
  signal: AbortSignal,
): Promise<Baseline> {
  const seen = await detect(check, target(stage.server.port), stage.transport(LONG, always(vulnerable)), { signal });
  if (seen === null) throw new Error(`${check.id} does not apply to its own vulnerable target`);
  if (seen.observation.state !== 'vulnerable' || seen.baseline === null) {
    throw new Error(`${check.id} does not see its own weakness: ${seen.observation.detail}`);
  }
  return seen.baseline;
}

/** Learned once for all rows, and as it comes out of a database. */
function baselines(table: Table): (vulnerable: Scene) => Promise<Baseline> {
  const learned = new Map<Scene, Promise<Baseline>>();
  const learn = async (vulnerable: Scene): Promise<Baseline> => {
    const stage = await Stage.open();
    try {
      return JSON.parse(JSON.stringify(await baselineOf(table, vulnerable, stage, new AbortController().signal)));
    } finally {
      await stage.close();
    }
  };
  return (vulnerable) => {
    const known = learned.get(vulnerable) ?? learn(vulnerable);
    learned.set(vulnerable, known);
    return known;
  };
}

function run(table: Table): void {
  const { check, target, cases } = table;
  const baselineFor = baselines(table);
  describe(`${check.id}: the truth`, () => {
    it.each(cases.map((one) => [one.name, one.result, one] as const))('%s: %s', async (_name, result, one) => {
      const stage = await Stage.open();
      const { signal } = new AbortController();
      try {
        const before = await baselineFor(one.vulnerable ?? table.vulnerable);
        const transport = stage.transport(one.exchangeMs ?? LONG, one.scene);
        const { verdict, probes } = await verify(
          check,
          target(stage.server.port),
          before,
          transport,
          { signal },
          PATIENCE,
        );
        const requests = probes.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
        expect(requests).toBeLessThanOrEqual(MOST_REQUESTS);
        expect(`${verdict.result}: ${verdict.reason}`).toMatch(new RegExp(`^${result}: .`));
      } finally {
        await stage.close();
      }
    });
  });
}

const webTarget =
  ({ schemes = ['https'] }: WebCheck, { scheme, path = '/' }: WebStates): Table['target'] =>
  (port) => ({ scheme: scheme ?? schemes[0] ?? 'https', host: HOST, port, path });

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
      siteScene,
      webLookalikes(check, states),
      webFaultScenarios(check, states),
      webTarget(check, states),
    );
  }
  const plain = { host: HOST, path: '/' };
  return isServicePair(pair)
    ? tableOf(...pair, serviceScene, SERVICE_LOOKALIKES, serviceFaultScenarios(pair[1]), (port) => ({
        ...plain,
        scheme: 'tcp',
        port,
      }))
    : tableOf(...pair, zoneScene, zoneLookalikes(pair[1]), zoneFaultScenarios(pair[1]), () => ({
        ...plain,
        scheme: 'dns',
        port: 53,
      }));
}

/** A weakness that is seen while the front page is out must not become what a later, healthy page is compared with. */
function outages(check: WebCheck, states: WebStates, target: Table['target']): void {
  if (check.selfEvident !== true || (states.path ?? '/') !== '/') return;
  const [vulnerable, fixed] = [siteScene(states.vulnerable), siteScene(states.fixed)];
  const table: Table = { check, target, vulnerable, cases: [] };
  describe(`${check.id}: an outage of the front page`, () => {
    it.each(outagesFor(check))('that %s leaves it to be seen fixed later', async (_name, reply) => {
      const stage = await Stage.open();
      const { signal } = new AbortController();
      const test = async (before: Baseline, scene: Scene): Promise<Verification> =>
        verify(check, target(stage.server.port), before, stage.transport(LONG, always(scene)), { signal }, PATIENCE);
      try {
        const before = await baselineOf(table, vulnerable, stage, signal);
        const during = await test(before, withFrontPage(states.vulnerable, reply));
        expect(during.verdict.result).toBe('still_vulnerable');
        const { verdict } = await test(during.baseline ?? before, fixed);
        expect(`${verdict.result}: ${verdict.reason}`).toMatch(/^fixed: ./);
      } finally {
        await stage.close();
      }
    });
  });
}

/**
 * The truth table of a check: its vulnerable target, the fixed one, and all that only looks fixed, against real servers.
 * Registers the cases with the test runner.
 */
export function truthTable(...pair: WebPair | ServicePair | ZonePair): void {
  run(tableFor(pair));
  if (!isWebPair(pair)) return;
  firstLooks(...pair, webTarget(...pair));
  outages(...pair, webTarget(...pair));
}
