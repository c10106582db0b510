import { Injectable } from '@nestjs/common';
import { SessionEnded, type SignInReport } from '../../../engine';
import { everything } from '../../../platform/api/scope';
import type { Claim } from '../../../platform/work/claim';
import { type Completion, type WorkHandler, WorkKind } from '../../../platform/work/work-handler';
import { workAudit } from '../../../platform/work/work-audit';
import { type AssetAccount, AssetAccountsRepository, SealedAccountSecrets, type SealedSteps } from '../../accounts';
import { AssetsService } from '../../assets';
import { AccountSessions } from '../account-sessions';
import { SIGN_IN_KIND } from '../account-sign-ins.service';
import { UnprovenAddressError } from '../address-proof';
import { BeaconLostError, BeaconTests } from '../beacon-tests';

const scope = everything('a worker signs in for the organization of the account');

const GONE = 'It may no longer run.';

/** Signs in once, and stores what was seen without any secret. */
@Injectable()
@WorkKind(SIGN_IN_KIND)
export class AccountSignInRun implements WorkHandler {
  readonly maxConcurrent = 2;

  constructor(
    private readonly accounts: AssetAccountsRepository,
    private readonly assets: AssetsService,
    private readonly sessions: AccountSessions,
    private readonly tests: BeaconTests,
    private readonly secrets: SealedAccountSecrets,
  ) {}

  async perform(claim: Claim, signal: AbortSignal): Promise<Completion> {
    const account = await this.accounts.beginSignIn(scope, claim.reference);
    const asset = account && (await this.assets.find(scope, account.assetId));
    if (account === undefined || asset === undefined) return this.completion(claim, async () => undefined);
    const launches = await this.sessions.launchesOf(scope, account, { beaconId: asset.beaconId });
    if ('reason' in launches) return this.failure(claim, account, `${GONE} ${launches.reason}`);
    const [launch] = launches;
    if (launch === undefined) return this.failure(claim, account, GONE);
    try {
      const recorded = await this.secrets.stepsOfVisible(account.id);
      const report = await this.tests.run(launch, claim, signal, (run) =>
        recorded === null
          ? this.sessions.signIn(account, launches, run, 'sign in now')
          : this.sessions.signInRecorded(account, recorded, launches, run),
      );
      return this.ended(claim, account, report, recorded);
    } catch (error) {
      signal.throwIfAborted();
      const isExpected = error instanceof BeaconLostError || error instanceof UnprovenAddressError;
      if (isExpected || error instanceof SessionEnded) return this.failure(claim, account, error.message);
      throw error;
    }
  }

  abandon(claim: Claim, error: string): Completion {
    return this.failure(claim, null, 'It could not run because of an internal error.', { error });
  }

  /** What was recorded waits for the admin, with no more requests than it needs. */
  private ended(claim: Claim, account: AssetAccount, report: SignInReport, recorded: SealedSteps | null): Completion {
    const { recorded: recipe } = report;
    const sealedSteps =
      recorded === null || recipe?.kind !== 'steps' ? null : this.secrets.sealSteps({ ...recorded, recipe });
    return this.completion(
      claim,
      () => this.accounts.endSignIn(claim.reference, 'FINISHED', { error: null, report, sealedSteps }),
      account,
      { result: report.result },
    );
  }

  private failure(
    claim: Claim,
    account: AssetAccount | null,
    error: string,
    metadata?: Record<string, unknown>,
  ): Completion {
    const end = () => this.accounts.endSignIn(claim.reference, 'ERROR', { error, report: null });
    return this.completion(claim, end, account, { reason: error, ...metadata });
  }

  private completion(
    claim: Claim,
    apply: () => Promise<void>,
    account: AssetAccount | null = null,
    metadata?: Record<string, unknown>,
  ): Completion {
    const resourceId = account === null ? claim.reference : String(account.id);
    const described = { operation: 'account.sign_in_now', resourceType: 'account', resourceId, metadata } as const;
    return { audit: workAudit(claim, described), apply };
  }
}
