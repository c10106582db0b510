import { Injectable } from '@nestjs/common';
import { isWeb } from '../../engine';
import { unprocessable } from '../../kernel/domain-error';
import { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import type { Role } from '../../kernel/role';
import { AccountUse } from '../accounts';
import { AccountSessions, type Launchable } from '../retests';
import type { AccountOfJob } from './domain/lanes';
import { notLaunchable } from './domain/job.errors';
import { parseLaunchUrl } from './domain/launch-url';

const MAX_OF_JOB = 5;

interface PlannedPlace {
  readonly organizationId: number;
  readonly url: string;
  readonly beaconId: number | null;
  /** Whose accounts are used in any case; null for an event, which tests several origins of an asset. */
  readonly assetId: number | null;
}

/** The accounts of an event, with the role of the admin who has named them. */
export interface PlannedAccounts {
  readonly ids: readonly number[];
  readonly role: Role;
}

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
    if (named.length > MAX_OF_JOB)
      throw unprocessable(`A job signs in as at most ${MAX_OF_JOB} accounts, and ${named.length} are named.`);
    if (!isWeb(target)) throw unprocessable('accounts is for jobs that test a web site.');
    const beaconId = beacon?.id ?? null;
    const accounts = await this.use.requireNamed(caller, { organizationId, origin: target, beaconId }, named);
    for (const account of accounts) {
      const launches = await this.sessions.launchesOf(caller.scope, account, { beaconId, eventId });
      if ('reason' in launches) throw notLaunchable(`It cannot sign in as ${account.name}. ${launches.reason}`);
    }
    return accounts.map(({ id, name }) => ({ id, name }));
  }

  /** Which accounts of a schedule a job on an asset uses. */
  async plannedAt(
    { scope }: Caller,
    { organizationId, url, beaconId, assetId }: PlannedPlace,
    ids: readonly number[],
  ): Promise<number[]> {
    const origin = parseLaunchUrl(url);
    if (ids.length === 0 || !isWeb(origin)) return [];
    return this.use.plannedAt(scope, { organizationId, origin, beaconId }, ids, assetId);
  }

  /** The pages of the origins where each signs in, as an event names origins. */
  async pagesOf(scope: Scope, ids: readonly number[]): Promise<{ readonly name: string; readonly pages: string[] }[]> {
    const accounts = await this.use.listByIds(scope, ids);
    return accounts.map(({ name, origins }) => ({ name, pages: origins.map((origin) => new URL(origin).href) }));
  }

  /** Those of an event that sign in where a job of it tests. */
  async requireOfEvent(launch: Launchable, url: string, { ids, role }: PlannedAccounts): Promise<AccountOfJob[]> {
    const { organizationId, beacon } = launch;
    const memberships = new Map([[organizationId, role]]);
    const caller = new Caller({ userId: 0, email: '', name: null, integrator: null, memberships, key: null });
    const place = { organizationId, url, beaconId: beacon?.id ?? null, assetId: null };
    return this.requireLaunchable(caller, launch, await this.plannedAt(caller, place, ids));
  }
}
