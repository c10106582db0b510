import { Injectable } from '@nestjs/common';
import {
  type Baseline,
  type Check,
  endsSessions,
  isWeb,
  locationOf,
  needsAccounts,
  needsPoint,
  type PinnedAddresses,
  RETEST_SUBMISSIONS,
  Submissions,
  type Target,
  type Via,
} from '../../engine';
import type { Scope } from '../../platform/api/scope';
import { AccountUse } from '../accounts';
import { AssetsService, covers } from '../assets';
import { AddressProof } from './address-proof';
import { FindingBaselinesRepository, type TestedCheck } from './data/finding-baselines.repository';
import { checkRefusal } from './domain/hosting-limit';
import { type Launchable, type LaunchRefusal, refuse } from './launch';
import { LaunchNow } from './launch-now';
import { LaunchRule } from './launch-rule';

export type RetestTarget = EventName & {
  readonly organizationId: number;
  /** The finding's asset. */
  readonly assetId: number | null;
  readonly target: Target;
  readonly check: Check;
  /** The account with which it runs; null without a session. */
  readonly accountId: number | null;
  /** The check of the finding; null if nothing that was seen before is repeated. */
  readonly repeats: TestedCheck | null;
  /** Whether the caller waits for a beacon that is not connected. */
  readonly waitsForBeacon?: boolean;
};

/** The event of a request by its slug, or a stored one by its id. Required, so that no test bypasses the scope of its event. */
type EventName = { readonly eventSlug: string | null } | { readonly eventId: number | null };

export interface LaunchableRetest extends Launchable {
  /**
   * The addresses that an experiment may be sent to, and what lets it submit forms; nothing for other checks. Throws an
   * `UnprovenAddressError`.
   */
  readonly pin: (
    via: Via,
    before?: Baseline | null,
  ) => Promise<Pick<Via, 'submissions'> & { readonly pinned?: PinnedAddresses }>;
}

const NO_ASSET = 'its asset is not among your assets: add the asset, and record the finding again.';

/** Checks of whole pages, too, send experiments where the location names a cookie, a header or a segment. */
const isAtPoint = (check: Check, target: Target): boolean =>
  needsPoint(check) || needsAccounts(check) || (isWeb(target) && target.within !== undefined);

/** Whether a check may run on the target of its finding: evaluated when a retest starts and when a worker claims it. */
@Injectable()
export class RetestPermission {
  constructor(
    private readonly assets: AssetsService,
    private readonly rule: LaunchRule,
    private readonly baselines: FindingBaselinesRepository,
    private readonly proof: AddressProof,
    private readonly accounts: AccountUse,
  ) {}

  /** A refusal says why the target may not be tested, and what to do next. The beacon is that of the asset. */
  async evaluate(scope: Scope, test: RetestTarget): Promise<LaunchableRetest | LaunchRefusal> {
    const { organizationId, assetId, target, check, repeats, waitsForBeacon, accountId } = test;
    const asset = assetId === null ? undefined : await this.assets.find(scope, assetId);
    if (asset === undefined) return refuse(NO_ASSET);
    if (!covers(asset, target)) {
      return refuse(`its check tests ${locationOf(target)}, which the asset of the finding does not cover.`);
    }
    const { beaconId } = asset;
    const account = accountId === null ? null : await this.accounts.usableNow(accountId);
    if (typeof account === 'string') return refuse(`it was seen signed in, and is retested so. ${account}`);
    const event = 'eventId' in test ? { eventId: test.eventId } : { eventSlug: test.eventSlug };
    const request = { scope, target, organizationId, beaconId, waitsForBeacon, ...event };
    const launch = await this.rule.evaluate({ ...request, test: 'retest' });
    if (!launch.launchable) return launch;
    const isExperiment =
      isAtPoint(check, target) || (repeats !== null && (await this.baselines.hasExperiment(scope, repeats)));
    const isWriting = isWeb(target) && (target.within === 'form' || target.within === 'json');
    const consent = isWriting || endsSessions(check) ? launch.writeRefusal : launch.activeRefusal;
    const noConsent = isExperiment ? consent(target) : null;
    const refusal = noConsent ?? checkRefusal(launch.hosting, check);
    if (refusal !== null) return refuse(refusal);
    const submissions = (): Submissions => {
      const now = new LaunchNow(launch, () => this.rule.evaluate({ ...request, test: 'retest' }));
      return new Submissions({
        limits: RETEST_SUBMISSIONS,
        refusal: (path) => now.writeRefusal({ ...target, path }),
        stated: (path) => now.statedPaths({ ...target, path }),
      });
    };
    const pin: LaunchableRetest['pin'] = async (via, before) => ({
      ...(isWriting && { submissions: submissions() }),
      ...(isExperiment && (await this.proof.pin(launch, via, before))),
    });
    return { ...launch, pin };
  }
}
