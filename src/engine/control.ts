import { getDomain } from 'tldts';
import { type Check, type ControlKind, isWebCheck } from './check';
import { blockageOf, missingPath } from './doubt';
import { MOST_HOPS, type Page, redirectOf } from './page';
import { TargetProbe } from './probe';
import { differenceOf, type Snapshot, snapshot } from './snapshot';
import { locationOf, type Target } from './target';
import type { Exchange } from './transport/exchange';
import type { Transport, Via } from './transport/transport';

/** What a target was like when its weakness was seen, kept with the finding: plain JSON. */
export type Baseline =
  | {
      readonly on: 'web';
      readonly page: Snapshot;
      /** The status of each answer of the check's own, by method and path. */
      readonly answers: Readonly<Record<string, number>>;
      /** Those of them that had nothing in them. */
      readonly empty?: readonly string[];
      /** Which of the servers behind the name it was. */
      readonly address?: string | null;
    }
  | { readonly on: 'dns'; readonly zone: string; readonly primary: string }
  | { readonly on: 'tcp'; readonly address?: string | null };

/** What a control found: what it is like now, and why that is nothing to build on, if so. */
export interface Control {
  readonly page: Page | null;
  readonly baseline: Baseline;
  readonly broken: string | null;
}

interface Fetched {
  readonly page: Page;
  readonly exchanges: readonly Exchange[];
}

/** One going to a target: whatever checks look at it, a page that is a control for several is asked for once. */
export class Visit {
  private readonly pages = new Map<string, Promise<Fetched>>();

  constructor(
    private readonly transport: Transport,
    readonly via: Via,
  ) {}

  probe(target: Target): TargetProbe {
    return new TargetProbe(target, this.transport, this.via);
  }

  page(target: Target, kind: ControlKind): Promise<Fetched> {
    const key = `${kind} ${locationOf(target)}`;
    const known = this.pages.get(key) ?? this.fetch(target, kind);
    this.pages.set(key, known);
    return known;
  }

  private async fetch(target: Target, kind: ControlKind): Promise<Fetched> {
    if (kind === 'followed') {
      const first = await this.page(target, 'page');
      // Nothing to follow: the page is the one that other checks have asked for already.
      if (redirectOf(first.page) === null) return first;
    }
    const probe = this.probe(target);
    const page = await probe.quietly({
      path: kind === 'missing' ? missingPath() : target.path,
      hops: kind === 'followed' ? MOST_HOPS : 0,
    });
    return { page, exchanges: probe.exchanges };
  }
}

async function zoneControl(host: string, probe: TargetProbe): Promise<Control> {
  const zone = getDomain(host) ?? host;
  const { records } = await probe.dns(zone, 'SOA');
  const primary = records[0]?.split(' ')[0] ?? '';
  return {
    page: null,
    baseline: { on: 'dns', zone, primary },
    broken: records.length === 0 ? `the zone ${zone} does not answer for itself` : null,
  };
}

async function pageControl(kind: ControlKind, place: Target, probe: TargetProbe, visit: Visit): Promise<Control> {
  const { page, exchanges } = await visit.page(place, kind);
  probe.exchanges.push(...exchanges);
  return { page, baseline: { on: 'web', page: await snapshot(page), answers: {} }, broken: blockageOf(page) };
}

const CONTROLS = {
  dns: ({ host }: Target, probe: TargetProbe) => zoneControl(host, probe),
  // A service shows what it is in the very reply that a check reads; there is nothing else on its port to ask.
  tcp: (): Control => ({ page: null, baseline: { on: 'tcp' }, broken: null }),
};

function changeSince(before: Baseline, now: Baseline): string | null {
  if (before.on === 'web' && now.on === 'web') return differenceOf(before.page, now.page);
  if (before.on === 'dns' && now.on === 'dns') {
    if (before.zone !== now.zone) return `the zone is ${now.zone} and was ${before.zone}`;
    return before.primary === now.primary ? null : `the zone is served by ${now.primary} and was by ${before.primary}`;
  }
  return before.on === now.on ? null : 'what is kept of the earlier test is of another kind';
}

/** Shows that the target is the one that was tested and answers as it did; without a baseline, that somebody answers. */
export async function takeControl(
  check: Check,
  place: Target,
  before: Baseline | null,
  probe: TargetProbe,
  visit: Visit,
): Promise<Control> {
  const control = isWebCheck(check)
    ? await pageControl(check.control ?? 'page', place, probe, visit)
    : await CONTROLS[check.on](place, probe);
  return { ...control, broken: control.broken ?? (before && changeSince(before, control.baseline)) };
}
