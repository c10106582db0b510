import { Injectable } from '@nestjs/common';
import {
  type Account,
  fewestSteps,
  isWeb,
  openSession,
  type PinnedAddresses,
  SessionEnded,
  type SignInBook,
  type SignInReport,
  signInNow,
  type Via,
} from '../../engine';
import { canonicalIp } from '../../kernel/cidr';
import { MINUTE_MS } from '../../kernel/durations';
import { system } from '../../platform/api/caller';
import { everything, type Scope } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import {
  type AssetAccount,
  AssetAccountsRepository,
  AccountUse,
  accountStopped,
  parseOrigin,
  SealedAccountSecrets,
  type SealedSteps,
  secretMissing,
} from '../accounts';
import { AddressProof } from './address-proof';
import { EngineRuntime } from './engine-runtime';
import type { Launchable, LaunchRefusal } from './launch';
import { LaunchRule } from './launch-rule';
import { bothPinned } from './both-pinned';
import type { SessionRequest, TestInSession, UseOfAccount } from './session-request';
import { CountedTurn, takingTurns } from './taking-turns';

const scope = everything('a test signs in for the organization of its work');

/** Signs in for tests, which take turns, by the current rules. Only here do secrets of accounts leave the database. */
@Injectable()
export class AccountSessions {
  constructor(
    private readonly accounts: AssetAccountsRepository,
    private readonly use: AccountUse,
    private readonly secrets: SealedAccountSecrets,
    private readonly rule: LaunchRule,
    private readonly proof: AddressProof,
    private readonly runtime: EngineRuntime,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The launch of each origin of the account, or why nothing may be sent to one of them. */
  async launchesOf(
    caller: Scope,
    { origins, organizationId }: Pick<AssetAccount, 'origins' | 'organizationId'>,
    { beaconId, eventId = null, test }: Omit<UseOfAccount, 'work'>,
    waitsForBeacon = true,
  ): Promise<Launchable[] | LaunchRefusal> {
    const launches: Launchable[] = [];
    for (const origin of origins.map(parseOrigin)) {
      const target = { ...origin, path: '/' };
      const request = {
        scope: caller,
        target,
        organizationId,
        beaconId,
        eventId,
        waitsForBeacon,
        depth: 'active',
      } as const;
      const launch = await this.rule.evaluate({ ...request, ...(test !== undefined && { test }) });
      if (!launch.launchable) return launch;
      launches.push(launch);
    }
    return launches;
  }

  /** The sign-in that a person starts on the page of the asset. */
  async signIn(account: AssetAccount, launches: readonly Launchable[], via: Via, work: string): Promise<SignInReport> {
    return signInNow(await this.opened(account), await this.environmentOf(account, launches, via, work));
  }

  /** Signs in as it was recorded, and then with fewer requests. Only the first failure counts: the others are expected. */
  async signInRecorded(
    account: AssetAccount,
    { recipe, secrets }: SealedSteps,
    launches: readonly Launchable[],
    via: Via,
  ): Promise<SignInReport> {
    const { id, name, origins, proof } = account;
    const environment = await this.environmentOf(account, launches, via, 'sign in as recorded');
    const { book } = environment;
    const opened = { id: String(id), name, recipe, secrets, origins: origins.map(parseOrigin), proof };
    const ended: SignInBook['ended'] = (result) => book.ended(result === 'failed' ? 'not_possible' : result);
    return fewestSteps(opened, environment, { ...book, ended });
  }

  private async environmentOf(account: AssetAccount, launches: readonly Launchable[], via: Via, work: string) {
    const pinned = await this.pinned(launches, via);
    const book = this.bookOf(account, work, () => this.refusedSignIn(account));
    return { transport: this.runtime.transport, via: { ...via, pinned }, book };
  }

  /** Runs a test as an account, when it has its turn. Throws a `SessionEnded` if that may not be, or its session is not proved. */
  async run<T>(request: SessionRequest, via: Via, test: TestInSession<T>): Promise<T> {
    const { accountId, turn: asked, waiting, whileWaiting, work, keepsTurn } = request;
    const { name } = await this.usable(accountId);
    const turn = await this.use.begin(accountId, asked, via.signal, {
      waiting: (holder) => waiting?.(holder && `waiting for the account ${name}, which ${holder.what} uses`),
      ...(whileWaiting && { whileWaiting }),
    });
    let version: number | null = null;
    let [refusal, watch]: [string | null, NodeJS.Timeout | undefined] = [null, undefined];
    try {
      // It may have been stopped or changed meanwhile, and its event may have ended.
      const current = await this.usable(accountId);
      ({ version } = current);
      const launches = await this.launchesOf(scope, current, request);
      if ('reason' in launches) throw new SessionEnded('unproved', `${name} may not sign in: ${launches.reason}`);
      const pinned = await this.pinned(launches, via);
      const counted = new CountedTurn(turn);
      const sent = (): void => {
        if (refusal !== null) throw new SessionEnded('unproved', refusal);
        counted.sent += 1;
      };
      const asNobody = { ...via, pinned: bothPinned(via.pinned, pinned) };
      const session = await openSession(await this.opened(current), {
        transport: this.runtime.transport,
        via: asNobody,
        book: this.bookOf(current, work, () => this.refusedTest(current)),
        observer: { ...this.observerOf(current), sent },
        ...(request.test === 'retest' && { checkedAfter: CHECKED_AFTER_IN_RETESTS }),
        endingRequests: await this.accounts.endingRequestsOfVisible(current),
      });
      watch = setInterval(() => {
        void this.refusedTest(current).then((reason) => void (refusal ??= reason), ignored);
      }, WATCH_MS);
      const shared = keepsTurn === true ? session : takingTurns(session, counted);
      return await test({ ...asNobody, session: shared }, session);
    } catch (error) {
      if (!(error instanceof SessionEnded)) throw error;
      // Of work with two accounts it may be the other one's.
      const { end, message, account = String(accountId) } = error;
      if (version !== null && account === String(accountId))
        await this.accounts.saveRefused(accountId, version, message);
      throw new SessionEnded(end, message, account);
    } finally {
      clearInterval(watch);
      await turn.end();
    }
  }

  /** Why a running test may not continue: an admin withdrew the consent, or changed, stopped or deleted the account. */
  private async refusedTest({ id, name, version }: AssetAccount): Promise<string | null> {
    const now = await this.use.usableNow(id);
    if (typeof now === 'string') return now;
    return now.version === version ? null : changedMeanwhile(name);
  }

  /** The same for a person's sign-in, which needs no consent yet. */
  private async refusedSignIn({ id, name, version }: AssetAccount): Promise<string | null> {
    const now = await this.accounts.findById(scope, id);
    if (now === undefined) return 'The account was deleted.';
    if (now.stoppedAt !== null) return accountStopped(name).message;
    return now.version === version ? null : changedMeanwhile(name);
  }

  private async usable(id: number): Promise<AssetAccount> {
    const account = await this.use.usableNow(id);
    if (typeof account === 'string') throw new SessionEnded('unproved', account);
    return account;
  }

  private async opened({ id, name, recipe, origins, proof }: AssetAccount): Promise<Account> {
    const secrets = await this.secrets.readOfVisible(id);
    if (secrets === null) throw new SessionEnded('unproved', secretMissing(name).message);
    return { id: String(id), name, recipe, secrets, origins: origins.map(parseOrigin), proof };
  }

  /** Counts sign-ins in the database, for all workers together. */
  private bookOf(
    { id, name, version, organizationId }: AssetAccount,
    work: string,
    refused: () => Promise<string | null>,
  ): SignInBook {
    const audit = { actor: system, resourceType: 'account', resourceId: String(id), organizationId } as const;
    return {
      begin: async () => {
        const refusal = await refused();
        if (refusal !== null) return refusal;
        const seconds = await this.accounts.countSignIn(id);
        return seconds === null ? null : tooManySignIns(name, seconds);
      },
      ended: async (result) => {
        const metadata = { account: name, work, result };
        await this.unitOfWork.run({ ...audit, operation: 'account.sign_in', metadata }, scope, async () => {
          if (result === 'signed_in') await this.accounts.saveSignedIn(id, version);
          const isStopped = result === 'failed' && (await this.accounts.countFailure(id, version, FAILED));
          if (isStopped) this.unitOfWork.note({ metadata: { stopped: true } });
        });
      },
    };
  }

  private observerOf({ id, version }: AssetAccount) {
    let saved = -Infinity;
    return {
      proved: (): void => {
        const now = performance.now();
        if (now - saved < MINUTE_MS) return;
        saved = now;
        void this.accounts.saveProved(id, version).catch(ignored);
      },
      lost: (_at: Date, reason: string): void => {
        void this.accounts.saveRefused(id, version, reason).catch(ignored);
      },
      endsSession: (request: Parameters<AssetAccountsRepository['addEndingRequest']>[1]): void => {
        void this.accounts.addEndingRequest(id, request).catch(ignored);
      },
    };
  }

  /** The proved addresses of each host. A name may lead elsewhere, where no credential may be sent. */
  private async pinned(launches: readonly Launchable[], via: Via): Promise<PinnedAddresses> {
    const proved = new Map<string, readonly string[]>();
    for (const launch of launches) {
      const { target, beacon } = launch;
      if (!isWeb(target) || beacon !== null || canonicalIp(target.host) !== null || proved.has(target.host)) continue;
      proved.set(target.host, (await this.proof.prove(target, launch, via)).answering);
    }
    return { keep: async () => {}, has: (host, address) => proved.get(host)?.includes(address) ?? true };
  }
}

/** Requests between two checks of a session in a retest, where each answer decides. */
const CHECKED_AFTER_IN_RETESTS = 5;

/** How long a test may continue after an admin has withdrawn the consent. */
const WATCH_MS = 5_000;
/** Failures here are ignored, because the same is done again soon. */
const ignored = (): void => {};

const changedMeanwhile = (name: string): string => `The account ${name} was changed meanwhile. Start the test again.`;
const FAILED = 'The last sign-in failed.';

const tooManySignIns = (name: string, seconds: number): string =>
  `The account ${name} has signed in 60 times in the last hour, which is the most. The next sign-in is possible in ${Math.ceil(seconds / 60)} minutes.`;
