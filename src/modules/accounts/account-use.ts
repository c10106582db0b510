import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type DomainError, forbidden, unprocessable } from '../../kernel/domain-error';
import { everything, type Scope } from '../../platform/api/scope';
import type { Caller } from '../../platform/api/caller';
import { Transactions } from '../../platform/database/transactions';
import { AssetsService } from '../assets';
import { type AssetAccount } from './data/asset-account.entity';
import { AssetAccountsRepository } from './data/asset-accounts.repository';
import { accountStopped, secretMissing } from './domain/account.errors';
import { type AccountOrigin, originText } from './domain/account-origins';
import { type Turn, withoutTurn, withTurn } from './domain/turns';

const scope = everything('the worker has read the account with the work of its organization');

const POLL_MS = 1_000;
/** Shorter than the time after which work that is not seen counts as gone. */
const SEEN_MS = 5_000;

/** What asks for an account. */
export type TurnRequest = Pick<Turn, 'holder' | 'what' | 'priority'>;

/** Where jobs sign in. */
export interface PlaceOfAccounts {
  readonly organizationId: number;
  readonly origin: AccountOrigin;
  readonly beaconId: number | null;
}

export interface WaitForTurn {
  readonly waiting?: (holder: Turn | null) => void;
  readonly whileWaiting?: (wait: () => Promise<void>) => Promise<void>;
}

/** A turn of an account, which its worker has until it ends it. */
export interface AccountTurn {
  /** Lets waiting work go first. Returns whether any did. */
  readonly yield: () => Promise<boolean>;
  readonly end: () => Promise<void>;
}

/** Accounts as tests use them: who may launch with one, and what uses it now. */
@Injectable()
export class AccountUse {
  constructor(
    private readonly accounts: AssetAccountsRepository,
    private readonly assets: AssetsService,
    private readonly transactions: Transactions,
  ) {}

  /** The accounts that may sign in at an origin, behind the same beacon as their asset. */
  private async listAt(
    scope: Scope,
    organizationId: number,
    origin: AccountOrigin,
    beaconId: number | null,
  ): Promise<AssetAccount[]> {
    const there = await this.accounts.listAtOrigin(scope, organizationId, originText(origin));
    const assets = await this.assets.listByIds(
      scope,
      there.map(({ assetId }) => assetId),
    );
    const onNetwork = new Set(assets.filter((asset) => asset.beaconId === beaconId).map(({ id }) => id));
    return there.filter(({ assetId }) => onNetwork.has(assetId));
  }

  /** The accounts that a launch names, by id or name. Throws an error that says why one of them may not be used. */
  async requireNamed(
    caller: Caller,
    { organizationId, origin, beaconId }: PlaceOfAccounts,
    named: readonly (string | number)[],
  ): Promise<AssetAccount[]> {
    const there = await this.listAt(caller.scope, organizationId, origin, beaconId);
    const found = named.map((one) => {
      const [account, ...others] = there.filter(({ id, name }) => id === one || name === one);
      if (account === undefined)
        throw unprocessable(
          `accounts has ${one}, but no such account signs in at ${originText(origin)}. An admin can add accounts on the page of the asset.`,
        );
      if (others.length > 0)
        throw unprocessable(`accounts has ${one}, which is the name of several accounts: use the id.`);
      const refusal = refusalOfAccount(account) ?? refusalOfCaller(caller, account);
      if (refusal !== null) throw refusal;
      return account;
    });
    return [...new Map(found.map((account) => [account.id, account])).values()];
  }

  /** Checks the accounts of a schedule or an event. Throws an error that says why one of them may not be used there. */
  async requirePlannable(caller: Caller, organizationId: number, ids: readonly number[]): Promise<void> {
    for (const id of ids) {
      const account = await this.accounts.findById(caller.scope, id);
      if (account?.organizationId !== organizationId) throw noSuchAccount(id);
      const refusal = refusalOfAccount(account) ?? refusalOfCaller(caller, account);
      if (refusal !== null) throw refusal;
    }
  }

  /**
   * The accounts of a plan with which a job at an origin runs: those that sign in there, those of the asset itself, and
   * deleted ones. The launch refuses the last two, so that none is left out silently.
   */
  async plannedAt(
    scope: Scope,
    { organizationId, origin, beaconId }: PlaceOfAccounts,
    ids: readonly number[],
    assetId: number | null = null,
  ): Promise<number[]> {
    const there = new Set((await this.listAt(scope, organizationId, origin, beaconId)).map(({ id }) => id));
    const used: number[] = [];
    for (const id of ids) {
      const account = there.has(id) ? null : await this.accounts.findById(scope, id);
      if (account === null || account === undefined || account.assetId === assetId) used.push(id);
    }
    return used;
  }

  /** Those that still exist, in the order of the ids. */
  listByIds(within: Scope, ids: readonly number[]): Promise<AssetAccount[]> {
    return this.accounts.listByIds(within, ids);
  }

  /** For people, also of one that was deleted. */
  async nameOf(within: Scope, id: number): Promise<string> {
    return (await this.accounts.findById(within, id))?.name ?? 'an account that was deleted';
  }

  /** The accounts that members may launch with, of an organization that the caller has read in scope. */
  listUsable(organizationId: number): Promise<AssetAccount[]> {
    return this.accounts.listConsentedOfVisible(organizationId);
  }

  /** The account if a test may sign in with it now, or why it may not. */
  async usableNow(id: number): Promise<AssetAccount | string> {
    const account = await this.accounts.findById(scope, id);
    if (account === undefined) return 'The account was deleted.';
    return refusalOfAccount(account)?.message ?? account;
  }

  /** Waits for the turn of a test. `waiting` hears who has the account, and `whileWaiting` does all of the waiting. */
  async begin(
    id: number,
    asked: TurnRequest,
    signal: AbortSignal,
    { waiting = () => {}, whileWaiting = (wait) => wait() }: WaitForTurn = {},
  ): Promise<AccountTurn> {
    const isMine = async (): Promise<boolean> => {
      signal.throwIfAborted();
      const first = await this.ask(id, asked);
      const isFirst = first === undefined || first.holder === asked.holder;
      waiting(isFirst ? null : first);
      return isFirst;
    };
    const poll = async (): Promise<void> => {
      do await delay(POLL_MS, undefined, { signal });
      while (!(await isMine()));
    };
    const wait = async (): Promise<void> => ((await isMine()) ? undefined : whileWaiting(poll));
    const leave = (): Promise<unknown> => this.changeTurns(id, (turns, now) => withoutTurn(turns, asked.holder, now));
    // Also after its turn has come, while it takes a slot of its worker again.
    const seen = setInterval(() => void this.ask(id, asked).catch(() => {}), SEEN_MS);
    try {
      await wait();
    } catch (error) {
      clearInterval(seen);
      await leave().catch(() => {});
      throw error;
    }
    return {
      yield: async () => {
        const turns = await this.changeTurns(id, (all) => [...all]);
        if (!turns.some(({ holder }) => holder !== asked.holder)) return false;
        await leave();
        await wait();
        return true;
      },
      end: async () => {
        clearInterval(seen);
        await leave();
      },
    };
  }

  /** Returns what has the account now. */
  private async ask(id: number, asked: TurnRequest): Promise<Turn | undefined> {
    const [first] = await this.changeTurns(id, (turns, now) => withTurn(turns, asked, now));
    return first;
  }

  private async changeTurns(
    id: number,
    change: (turns: readonly Turn[], now: number) => Turn[],
  ): Promise<readonly Turn[]> {
    return this.transactions.run(async () => {
      const locked = await this.accounts.lockTurns(id);
      if (locked === undefined) return [];
      const turns = change(locked.turns, locked.now);
      await this.accounts.saveTurns(id, turns);
      return turns;
    });
  }
}

const noSuchAccount = (id: number): DomainError =>
  unprocessable(`accounts has ${id}, and the organization has no such account: it may have been deleted.`);

/** Why nobody may use the account. */
function refusalOfAccount(account: AssetAccount): DomainError | null {
  const { name, consentedAt, stoppedAt, hasSecrets, proof } = account;
  if (consentedAt === null)
    return unprocessable(
      `Signed-in tests are off for the account ${name}: an admin can allow them on the page of the asset, or by its signed_in_tests.`,
    );
  if (stoppedAt !== null) return accountStopped(name);
  if (!hasSecrets) return secretMissing(name);
  if (proof === null)
    return unprocessable(
      `The account ${name} has no confirmed proof that it is signed in: sign in now on the page of the asset, and confirm one.`,
    );
  return null;
}

function refusalOfCaller(
  caller: Caller,
  { name, launchRole, ciKeys, organizationId }: AssetAccount,
): DomainError | null {
  const { key } = caller.facts;
  const isPipeline = key !== null && !key.scopes.includes('write');
  if (isPipeline && !ciKeys)
    return forbidden(
      `Keys of pipelines may not launch with the account ${name}: an admin can allow it by its ci_keys.`,
    );
  if (caller.hasRole(launchRole, organizationId)) return null;
  return forbidden(`Launching with the account ${name} needs the role ${launchRole} or above.`);
}
