import { isIP } from 'node:net';
import type { Baseline } from './baseline';
import { type Check, inconclusive, isWebCheck, notVulnerable } from './check';
import { decisiveFile } from './path-variants';
import { ProbeSession } from './probe-session';
import { isWeb, locationOf, type Target } from './target';
import { ExchangeFailed } from './transport/exchange';
import type { Transport, Via } from './transport/transport';
import type { Verification } from './probe-policy';
import { inconclusiveVerdict } from './verdict-reasons';

const WWW = 'www.';

/**
 * The same place at the other name of a site: with or without `www.`. Null if the check is not for files, or if the host has no
 * other name.
 */
export function otherWwwOf(check: Check, target: Target): Target | null {
  const { host } = target;
  if (!isWeb(target) || !isWebCheck(check) || check.shows === undefined || isIP(host) !== 0 || !host.includes('.'))
    return null;
  return { ...target, host: host.startsWith(WWW) ? host.slice(WWW.length) : `${WWW}${host}` };
}

/** The other name of a site, and what may be requested there. */
interface OtherWww {
  readonly target: Target;
  readonly isInScope: Via['isInScope'];
}

/** Null if the check may not run at the other name. */
export type FindOtherWww = (check: Check, place: Target) => Promise<OtherWww | null>;

/**
 * A verification that also considers the other name of the site: visitors are not safe while that still serves the file, but what
 * another host serves is not a weakness of this one.
 */
export async function besideOtherWww(
  verified: Verification,
  check: Check,
  place: Target,
  before: Baseline,
  find: FindOtherWww,
  transport: Transport,
  via: Via,
): Promise<Verification> {
  const path = decisiveFile(before);
  if (path === null || !isWebCheck(check) || verified.verdict.result !== 'fixed') return verified;
  const other = await find(check, place);
  if (other === null) return verified;
  const { target, isInScope } = other;
  // These settings are about the tested host.
  const { answered: _answered, isOwn: _isOwn, pinned: _pinned, ...asked } = via;
  const session = new ProbeSession(transport, { ...asked, isInScope });
  const started = session.now().toISOString();
  const probe = session.probe(target);
  const file = locationOf({ ...target, path });
  const shown = await probe.requestPage({ path, fresh: true }).then(
    (page) => check.shows?.(path, page) ?? null,
    (error: unknown) => {
      if (error instanceof ExchangeFailed) return null;
      throw error;
    },
  );
  const served = shown && `the weakness was not detected, but ${file} still serves the file: ${shown}`;
  const observation = served === null ? notVulnerable(`${file} does not show it`) : inconclusive(served);
  const { exchanges } = probe;
  const added = { kind: 'variant', started, observation, controlFailure: null, answer: null, baseline: null } as const;
  return {
    ...verified,
    probes: [...verified.probes, { ...added, exchanges }],
    verdict: served === null ? verified.verdict : inconclusiveVerdict(served),
  };
}
