import { Injectable } from '@nestjs/common';
import { isWeb } from '../../engine';
import { unprocessable } from '../../kernel/domain-error';
import type { Caller } from '../../platform/api/caller';
import { AccountUse } from '../accounts';
import { AccountSessions, type Launchable } from '../retests';
import type { AccountOfJob } from './domain/lanes';
import { notLaunchable } from './domain/job.errors';

/** The accounts with which jobs are launched. */
@Injectable()
export class JobAccounts {
  constructor(
    private readonly use: AccountUse,
    private readonly sessions: AccountSessions,
  ) {}

  /** Throws an error that says why one of them may not be used by this caller on this target. */
  async requireLaunchable(
    caller: Caller,
    { organizationId, target, beacon, eventId }: Launchable,
    named: readonly (string | number)[],
  ): Promise<AccountOfJob[]> {
    if (named.length === 0) return [];
    if (!isWeb(target)) throw unprocessable('accounts is for jobs that test a web site.');
    const beaconId = beacon?.id ?? null;
    const accounts = await this.use.requireNamed(caller, { organizationId, origin: target, beaconId }, named);
    for (const account of accounts) {
      const launches = await this.sessions.launchesOf(caller.scope, account, { beaconId, eventId });
      if ('reason' in launches) throw notLaunchable(`It cannot sign in as ${account.name}. ${launches.reason}`);
    }
    return accounts.map(({ id, name }) => ({ id, name }));
  }
}
