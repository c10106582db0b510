import { getDomain } from 'tldts';
import { type Baseline, FORMAT, isComparable, knownPages } from './baseline';
import { type Check, type ControlKind, isWebCheck } from './check';
import { missingBase } from './confirm-absence';
import { captchaWallReason } from './firewall-pages';
import { blockReason } from './response-trust';
import type { Page } from './page';
import type { TargetProbe } from './probe';
import { differenceOf, snapshot } from './snapshot';
import type { Target } from './target';
import type { ClientIdentity } from './transport/client-identity';
import { folderOf, type ProbeSession } from './probe-session';
import { ANY_PARAMETER } from './spots';

/** The result of a control: the current state of the target, and why the control failed. */
export interface Control {
  readonly page: Page | null;
  readonly baseline: Baseline;
  /** Why the response is not the target's own, regardless of the baseline; null if it is. */
  readonly blocked: string | null;
  readonly controlFailure: string | null;
  /** In a repeat, the response to an earlier request for the page in the same verification. */
  readonly earlier?: Page;
}

type NewControl = Omit<Control, 'controlFailure'>;

async function zoneControl(host: string, probe: TargetProbe): Promise<NewControl> {
  const zone = getDomain(host) ?? host;
  const { records } = await probe.dns(zone, 'SOA');
  const primary = records[0]?.split(' ')[0] ?? '';
  return {
    page: null,
    baseline: { on: 'dns', format: FORMAT, zone, primary },
    blocked: records.length === 0 ? `the zone ${zone} has no SOA record` : null,
  };
}

/**
 * The place of the control. A page may fail without its parameter, or the finding may be about several pages: then the front page
 * is compared.
 */
async function controlPlace(place: Target, before: Baseline | null, session: ProbeSession): Promise<Target> {
  if (place.parameter === undefined) return place;
  const frontPage = { ...place, path: '/' };
  if (before?.on === 'web') return before.isFrontPage === true ? frontPage : place;
  if (place.parameter === ANY_PARAMETER) return frontPage;
  return blockReason((await session.page(place, 'page')).page) === null ? place : frontPage;
}

async function pageControl(
  kind: ControlKind,
  place: Target,
  before: Baseline | null,
  probe: TargetProbe,
  session: ProbeSession,
  isDecisive: boolean,
): Promise<NewControl> {
  const shown = await controlPlace(place, before, session);
  const target = kind === 'missing' ? missingBase(shown, { kind: 'http', key: `GET ${folderOf(shown.path)}` }) : shown;
  const { page, exchanges } = await session.page(target, kind, isDecisive && session.behavior.uncached);
  probe.exchanges.push(...exchanges);
  const baseline: Baseline = {
    on: 'web',
    format: FORMAT,
    page: await snapshot(page),
    earlier: [],
    answers: {},
    empty: [],
    decisive: { kind: 'page' },
    missing: null,
    alive: [],
    browser: null,
    address: null,
    ...(shown.path !== place.path && { isFrontPage: true }),
  };
  const missing = async (): Promise<Page> => {
    const fetched = await session.page(target, 'missing');
    probe.exchanges.push(...fetched.exchanges);
    return fetched.page;
  };
  const captchaWall = kind === 'missing' ? null : await captchaWallReason(page, missing);
  return { page, baseline, blocked: blockReason(page) ?? captchaWall };
}

const CONTROLS = {
  dns: ({ host }: Target, probe: TargetProbe) => zoneControl(host, probe),
  // A service identifies itself in the reply that the check reads, so there is nothing else to request.
  tcp: (): NewControl => ({ page: null, baseline: { on: 'tcp', format: FORMAT, address: null }, blocked: null }),
};

function changeSince(before: Baseline, now: Baseline, identity: ClientIdentity): string | null {
  if (!isComparable(before)) return 'the baseline is from another version of this service';
  if (before.on === 'web' && now.on === 'web') {
    const differences = knownPages(before, identity).map((page) => differenceOf(page, now.page));
    return differences.includes(null) ? null : (differences[0] ?? null);
  }
  if (before.on === 'dns' && now.on === 'dns') {
    if (before.zone !== now.zone) return `the zone is ${now.zone} instead of ${before.zone}`;
    return before.primary === now.primary
      ? null
      : `the primary server of the zone is ${now.primary} instead of ${before.primary}`;
  }
  return before.on === now.on ? null : 'the baseline is of another kind';
}

/** Puts what has changed before the reason. */
function named(change: string | null, check: Check, { path }: Target): string | null {
  if (change === null || !isWebCheck(check)) return change;
  return `${check.control === 'missing' ? 'a missing path' : path}: ${change}`;
}

/** Whether the page itself showed the weakness. Only then does the control bypass caches. */
export const isDecisivePage = (check: Check, before: Baseline | null): boolean =>
  check.on !== 'tls' && before?.on === 'web' && before.decisive.kind === 'page';

/** Checks that the target matches its baseline; without a baseline, that it responds. */
export async function takeControl(
  check: Check,
  place: Target,
  before: Baseline | null,
  probe: TargetProbe,
  session: ProbeSession,
): Promise<Control> {
  const control = isWebCheck(check)
    ? await pageControl(check.control ?? 'page', place, before, probe, session, isDecisivePage(check, before))
    : await CONTROLS[check.on](place, probe);
  return {
    ...control,
    controlFailure:
      control.blocked ??
      (before && named(changeSince(before, control.baseline, session.behavior.identity), check, place)),
  };
}
