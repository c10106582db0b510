import type { IncomingMessage } from 'node:http';
import type { WebCheck } from '../check';
import {
  elsewhere,
  PATH_DISTURBANCES,
  SERVICE_DISTURBANCES,
  SLOW_DISTURBANCES,
  toHttps,
  WEB_DISTURBANCES,
  WHOLE_DISTURBANCES,
} from './disturbances';
import { hasEveryCombination } from './reference-checks';
import type { NameServerMode, Zone } from './name-server';
import type { TargetSetup, TestTarget } from './test-target';
import type { Disturbance, Service, Site } from './target-server';

/** A target before and after it was fixed. `State` is a site, a service or a zone, depending on the check. */
export interface States<State> {
  readonly vulnerable: State;
  readonly fixed: State;
  /** Other vulnerable states, each of which must be detected. */
  readonly alsoVulnerable?: Readonly<Record<string, State>>;
  /** Other fixed states, each of which must be accepted. */
  readonly alsoFixed?: Readonly<Record<string, State>>;
  /** States that refuse the request but not its twin. Each must be `blocked`. */
  readonly alsoBlocked?: Readonly<Record<string, State>>;
  /** Targets that look fixed but are not, or that cannot be assessed, in addition to those of every check. */
  readonly lookalikes?: Readonly<Record<string, State>>;
  /** Targets that differ from `vulnerable` even while they are vulnerable. Each is compared with its own baseline. */
  readonly otherTargets?: Readonly<Record<string, { readonly vulnerable: State; readonly fixed: State }>>;
}

export interface WebStates extends States<Site> {
  /** By default https, if the check allows it. */
  readonly scheme?: 'http' | 'https';
  readonly path?: string;
  readonly parameter?: string;
  /** Sites that answer missing paths with 200: fixed if they always did, inconclusive if they did not before. */
  readonly softErrors?: Readonly<Record<string, Site>>;
}

/** The vulnerable site with the other site's responses for missing paths. */
const withErrorsOf = ({ answer, pages = {}, ...site }: Site, other: Site): Site => ({
  ...site,
  pages,
  answer: (request) => {
    const path = request.url?.split('?', 1)[0] ?? '/';
    return answer?.(request) ?? (path in pages ? null : (other.answer?.(request) ?? null));
  },
});

/** All states of a web check, including those with soft errors. */
export function webStates(check: WebCheck, { softErrors = {}, ...states }: WebStates): WebStates {
  // Verifying such a target takes forty requests, so most checks only test the last and hardest one, which quotes the content.
  const paired = Object.entries(softErrors).slice(hasEveryCombination(check) ? 0 : -1);
  const pairs = mapped(Object.fromEntries(paired), (site) => ({
    vulnerable: withErrorsOf(states.vulnerable, site),
    fixed: site,
  }));
  return {
    ...states,
    lookalikes: { ...states.lookalikes, ...suffixed(softErrors, ', which it was not before') },
    otherTargets: { ...states.otherTargets, ...pairs },
  };
}

export type ZoneStates = States<Zone>;

/** The states that every check of a kind is tested with, in addition to its own. */
export interface Lookalikes {
  readonly quick: Readonly<Record<string, TargetSetup>>;
  /** Each of these lasts until the exchange times out. */
  readonly slow: Readonly<Record<string, TargetSetup>>;
}

const mapped = <From, To>(from: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(from).map(([name, value]) => [name, to(value)]));

const suffixed = <T>(values: Readonly<Record<string, T>>, suffix: string): Record<string, T> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${name}${suffix}`, value]));

/** A setup that has finished when it returns. */
type SynchronousSetup = (testTarget: TestTarget) => void;

const down: TargetSetup = ({ server }) => server.stop();

export const siteSetup =
  (site: Site, disturb: Disturbance = () => false): SynchronousSetup =>
  (testTarget) => {
    testTarget.clear(site.tls);
    testTarget.server.site = site;
    testTarget.server.disturb = disturb;
  };

export const asksMoreThanControl = ({ on, control }: WebCheck): boolean => on === 'origin' || control === 'missing';

export const isControlOf =
  ({ control }: WebCheck, path: string) =>
  ({ url = '/' }: IncomingMessage): boolean =>
    control === 'missing' ? url.includes('/nothing-') : url === path;

/**
 * Something answers instead of the whole target or, if a check requests more than its control, for everything except the control.
 */
export function webLookalikes(check: WebCheck, { fixed, scheme, path = '/' }: WebStates): Lookalikes {
  const isControl = isControlOf(check, path);
  const asksMore = asksMoreThanControl(check);
  const everywhere = (disturbance: Disturbance): TargetSetup => siteSetup(fixed, disturbance);
  const beside = (disturbance: Disturbance): TargetSetup => siteSetup(fixed, elsewhere(isControl, disturbance));
  return {
    quick: {
      'it is down': down,
      // If the check requests more than the control, these do not affect the control, which is the harder case.
      ...mapped(
        { ...(asksMore && !hasEveryCombination(check) ? {} : WEB_DISTURBANCES), ...WHOLE_DISTURBANCES },
        everywhere,
      ),
      ...(asksMore
        ? suffixed(mapped({ ...WEB_DISTURBANCES, ...PATH_DISTURBANCES }, beside), ', but not to the control')
        : {}),
      ...(asksMore && scheme === 'http' ? { 'it leads to HTTPS, but not the control': beside(toHttps) } : {}),
    },
    slow: {
      ...(asksMore && !hasEveryCombination(check) ? {} : mapped(SLOW_DISTURBANCES, everywhere)),
      ...(asksMore ? suffixed(mapped(SLOW_DISTURBANCES, beside), ', but not to the control') : {}),
    },
  };
}

export const serviceSetup =
  (service: Service): TargetSetup =>
  (testTarget) => {
    testTarget.clear();
    testTarget.server.service = service;
  };

export const SERVICE_LOOKALIKES: Lookalikes = {
  quick: { 'it is down': down, ...mapped(SERVICE_DISTURBANCES, serviceSetup) },
  slow: { 'it is silent': serviceSetup(() => {}) },
};

export const zoneSetup =
  (zone: Zone, mode: NameServerMode = 'answer'): SynchronousSetup =>
  (testTarget) => {
    testTarget.clear();
    testTarget.names.mode = mode;
    testTarget.names.zone = Object.fromEntries(
      [...new Set([...Object.keys(testTarget.names.zone), ...Object.keys(zone)])].map((name) => [
        name,
        { ...testTarget.names.zone[name], ...zone[name] },
      ]),
    );
  };

const MOVED = { SOA: ['ns1.parking.test hostmaster.parking.test 1'], A: ['127.0.0.1'] };

export const zoneLookalikes = ({ fixed }: ZoneStates): Lookalikes => ({
  quick: {
    'the name server fails': zoneSetup(fixed, 'servfail'),
    'the name server refuses': zoneSetup(fixed, 'refused'),
    'the zone is gone': (testTarget) => {
      testTarget.names.zone = {};
    },
    'the zone is parked at another provider': zoneSetup({
      ...fixed,
      ...mapped(fixed, (records) => ({ ...records, ...MOVED })),
      'target.test': { ...fixed['target.test'], ...MOVED },
    }),
  },
  slow: { 'the name server is silent': zoneSetup(fixed, 'silent') },
});
