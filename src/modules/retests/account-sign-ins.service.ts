import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { unprocessable } from '../../kernel/domain-error';
import { Clock } from '../../kernel/clock';
import type { Caller } from '../../platform/api/caller';
import { Work } from '../../platform/work/work';
import {
  type AssetAccount,
  AssetAccountsRepository,
  AssetAccountsService,
  accountStopped,
  SealedAccountSecrets,
  secretMissing,
  signInRunning,
  stepsOfHar,
} from '../accounts';
import { AccountSessions } from './account-sessions';

export const SIGN_IN_KIND = 'account.sign_in';

/** Sign-ins that admins ask for, to see whether an account works and what proves it. */
@Injectable()
export class AccountSignIns {
  constructor(
    private readonly accounts: AssetAccountsService,
    private readonly rows: AssetAccountsRepository,
    private readonly sessions: AccountSessions,
    private readonly secrets: SealedAccountSecrets,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  start(caller: Caller, assetId: number, id: number): Promise<AssetAccount> {
    return this.begin(caller, assetId, id, ({ hasSecrets, name }) => {
      if (!hasSecrets) throw secretMissing(name);
      return null;
    });
  }

  /** Tries the sign-in that a HAR has recorded, and then with fewer of its requests. */
  startRecorded(caller: Caller, assetId: number, id: number, har: Buffer): Promise<AssetAccount> {
    return this.begin(caller, assetId, id, ({ origins }) => this.secrets.sealSteps(stepsOfHar(har, origins)));
  }

  private async begin(
    caller: Caller,
    assetId: number,
    id: number,
    sealedStepsOf: (account: AssetAccount) => Buffer | null,
  ): Promise<AssetAccount> {
    const { asset, account } = await this.accounts.lockForAdmin(caller, assetId, id);
    const { name, organizationId, signInStatus, stoppedAt } = account;
    if (signInStatus === 'PENDING' || signInStatus === 'IN_PROGRESS') throw signInRunning();
    if (stoppedAt !== null) throw accountStopped(name);
    const sealedSteps = sealedStepsOf(account);
    const launches = await this.sessions.launchesOf(caller.scope, account, { beaconId: asset.beaconId }, false);
    if ('reason' in launches) throw unprocessable(`The account cannot sign in: ${launches.reason}`);
    const signInUuid = randomUUID();
    const begun = { signInUuid, signInStarted: this.clock.now(), signInError: null, signInReport: null, sealedSteps };
    await this.rows.change(account, { ...begun, signInStatus: 'PENDING' });
    await this.work.enqueue({ kind: SIGN_IN_KIND, reference: signInUuid, organizationId, assetId });
    return this.accounts.get(caller.scope, assetId, id);
  }
}
