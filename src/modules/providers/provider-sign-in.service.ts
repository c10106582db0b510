import { Injectable } from '@nestjs/common';
import { clientNetwork } from '../../kernel/client-network';
import { Clock } from '../../kernel/clock';
import { type Caller, system } from '../../platform/api/caller';
import { Scope } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { FailureThrottle } from '../../platform/auth/failure-throttle';
import { Transactions } from '../../platform/database/transactions';
import { hashToken, type NewSession, newToken, ownSignInNeeded, ProviderIdentities } from '../identity';
import type { CurrentSession, OpenedByProvider } from '../identity';
import type { ProviderSignIn } from './data/provider-sign-in.entity';
import { ProviderSignInsRepository } from './data/provider-sign-ins.repository';
import {
  noRole,
  notMemberToLink,
  ProviderFailure,
  providerNotFound,
  providerUnreachable,
  signInOver,
  signInRefused,
  tooManySignIns,
} from './domain/provider.errors';
import { callbackPathOf, type ProviderAnswer, ProviderClients } from './provider-clients';
import { ProviderAdmission } from './provider-admission';
import { type Provider, Providers } from './providers.service';

export interface BeginSignIn {
  readonly providerId: string;
  /** The cookie of the browser, if it has begun a sign-in already. */
  readonly browser: string | undefined;
  readonly ip: string | null;
  /** The page of the portal to return to. */
  readonly next: string;
  /** The session whose user links the provider. */
  readonly linking?: CurrentSession;
}

export interface BegunSignIn {
  readonly provider: Provider;
  /** At the provider. */
  readonly url: string;
  readonly browser: string;
}

export interface ProviderReturn extends Pick<OpenedByProvider, 'client' | 'current'> {
  /** Of the address that the provider has sent the browser to. */
  readonly path: string;
  readonly query: string;
  readonly browser: string | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface CompletedSignIn {
  readonly session: NewSession;
  readonly next: string;
}

/** Between the beginning of a sign-in and the return from the provider. */
export const SIGN_IN_MS = 10 * 60_000;
/** So that one address does not fill the table. */
const BEGUN_PER_MINUTE = 60;
/** Limits, for one provider, the audit entries for answers that it has not signed: anyone can send them. */
const UNSIGNED_PER_MINUTE = 10;

const SIGN_IN = { operation: 'session.create', resourceType: 'session' } as const;
const LINK = { operation: 'provider_identity.link', resourceType: 'session' } as const;

/** Signs users in, and links them, through providers. */
@Injectable()
export class ProviderSignInService {
  private readonly throttle: FailureThrottle;
  private readonly unsigned: FailureThrottle;

  constructor(
    private readonly providers: Providers,
    private readonly clients: ProviderClients,
    private readonly signIns: ProviderSignInsRepository,
    private readonly admission: ProviderAdmission,
    private readonly identities: ProviderIdentities,
    private readonly transactions: Transactions,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {
    this.throttle = new FailureThrottle(BEGUN_PER_MINUTE, clock);
    this.unsigned = new FailureThrottle(UNSIGNED_PER_MINUTE, clock);
  }

  /** Outside: a transaction would hold a connection while the provider is asked. */
  begin(given: BeginSignIn): Promise<BegunSignIn> {
    return this.transactions.outside(() => this.beginOutside(given));
  }

  /** Each answer of a provider is used once, in the browser and for the provider that it was asked for. */
  async complete(given: ProviderReturn): Promise<CompletedSignIn> {
    const state = new URLSearchParams(given.query).get('state') ?? '';
    const hashes = [hashToken(state), hashToken(given.browser ?? '')] as const;
    const begun = await this.signIns.take(...hashes, this.clock.now());
    if (begun === undefined) throw signInOver();
    const provider = await this.providers.findOf(begun.organizationId);
    if (provider === undefined) throw providerNotFound();
    if (given.path !== callbackPathOf(provider.organizationId)) throw signInOver();
    try {
      const { verifier, nonce, next } = begun;
      const answer = await this.clients.redeem(provider, given.query, { state, nonce, verifier });
      return { session: await this.open(provider, begun, answer, given), next };
    } catch (error) {
      return await this.refuse(provider, error);
    }
  }

  private async beginOutside({
    providerId,
    browser = newToken(),
    ip,
    next,
    linking,
  }: BeginSignIn): Promise<BegunSignIn> {
    const provider = await this.providers.get(providerId);
    const wait = this.throttle.fail(clientNetwork(ip ?? ''));
    if (wait !== undefined) throw tooManySignIns(wait);
    if (linking !== undefined) requireMayLink(provider, linking.caller);
    const pending = { state: newToken(), nonce: newToken(), verifier: newToken() };
    const url = await this.clients
      .authorizationUrl(provider, pending)
      .catch((error: unknown) => this.refuse(provider, error));
    await this.signIns.save({
      stateHash: hashToken(pending.state),
      browserHash: hashToken(browser),
      organizationId: provider.organizationId,
      verifier: pending.verifier,
      nonce: pending.nonce,
      sessionId: linking?.sessionId ?? null,
      next,
      expires: new Date(this.clock.now().getTime() + SIGN_IN_MS),
    });
    return { provider, url, browser };
  }

  private async open(
    provider: Provider,
    { sessionId }: ProviderSignIn,
    answer: ProviderAnswer,
    { client, current, metadata }: ProviderReturn,
  ): Promise<NewSession> {
    if (sessionId !== null && current?.sessionId !== sessionId) throw signInOver();
    const linking = sessionId === null ? undefined : current;
    const user = linking?.caller.facts ?? (await this.admission.find(provider, answer.claims));
    const description = {
      actor: user === undefined ? system : ({ type: 'user', id: String(user.userId) } as const),
      ...(linking === undefined ? SIGN_IN : LINK),
      organizationId: provider.organizationId,
      metadata: { ...metadata, ip: client.ip, provider: provider.issuer, subject: answer.claims.subject },
    };
    const session = await this.unitOfWork.runIfDue(description, Scope.organizations([]), async () => {
      const admitted = await (linking === undefined
        ? this.admission.admit(provider, answer)
        : this.link(provider, answer, linking));
      if (admitted === undefined) return undefined;
      return this.identities.openSession({ ...admitted, sid: answer.claims.sid, client, current });
    });
    if (session === undefined) throw noRole(answer.claims.shown);
    return session;
  }

  private async link(provider: Provider, answer: ProviderAnswer, session: CurrentSession) {
    requireMayLink(provider, session.caller);
    return this.admission.link(provider, answer, session);
  }

  /** The user sees a short refusal, and the owners of the organization see what the provider has sent. */
  private async refuse(provider: Provider, error: unknown): Promise<never> {
    if (!(error instanceof ProviderFailure)) throw error;
    await this.providers.recordFailure(provider, error);
    const refusal = error.forUser ?? (error.kind === 'unreachable' ? providerUnreachable() : signInRefused());
    const { organizationId, issuer } = provider;
    const isSigned = Object.keys(error.claims).length > 0;
    if (!isSigned && this.unsigned.fail(callbackPathOf(organizationId)) !== undefined) throw refusal;
    const metadata = { provider: issuer, reason: error.message };
    const description = { ...SIGN_IN, actor: system, organizationId, metadata };
    await this.unitOfWork.refuse(description, Scope.organizations([]), refusal);
    throw refusal;
  }
}

function requireMayLink({ organizationId }: Provider, { facts: { memberships }, isOfProvider }: Caller): void {
  if (isOfProvider) throw ownSignInNeeded();
  if (organizationId !== null && !memberships.has(organizationId)) throw notMemberToLink();
}
