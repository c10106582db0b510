import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { Config } from '../../platform/config/load-config';
import { decryptionKeysOf, seal, secretKeyOf, unseal } from '../../platform/config/secret-key';
import type { ProviderIdentity } from './data/provider-identity.entity';
import type { ProviderRequirement } from './data/provider-requirement.entity';
import {
  type EndedAtProvider,
  ProviderIdentitiesRepository,
  type ProviderSubject,
} from './data/provider-identities.repository';
import { SessionsRepository } from './data/sessions.repository';
import { sessionNotFound } from './domain/identity.errors';
import { identityLinkedMail } from './domain/mail-texts';
import { hashToken, newToken } from './domain/token';
import { KeyAuthenticator } from './key-authenticator';
import { MailQueue } from './mail-queue';
import { type SessionClient, SessionsService } from './sessions.service';
import type { NewSession } from './sign-ins.service';

const NAME = 'the refresh token of an identity';
const REMEDY = 'delete the rows of the table provider_identities';

/** How the refresh tokens of all identities are encrypted. */
export const sealedIdentity = { nameOf: () => NAME, remedy: REMEDY };

type SubjectOfUser = ProviderSubject & Pick<ProviderIdentity, 'userId'>;

export interface IdentityWithToken {
  readonly identity: ProviderIdentity;
  readonly refreshToken: string;
}

/** A session, and who is signed in with it. */
export interface CurrentSession {
  readonly sessionId: number;
  readonly caller: Caller;
}

export interface OpenedByProvider {
  readonly identityId: number;
  readonly userId: number;
  readonly sid: string | undefined;
  readonly client: SessionClient;
  /** What the browser had before. */
  readonly current: CurrentSession | undefined;
}

/** The users at their providers, and the sessions and keys that end with them. Changes are part of a unit of work. */
@Injectable()
export class ProviderIdentities {
  constructor(
    private readonly identities: ProviderIdentitiesRepository,
    private readonly rows: SessionsRepository,
    private readonly sessions: SessionsService,
    private readonly authenticator: KeyAuthenticator,
    private readonly mails: MailQueue,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  find(subject: ProviderSubject): Promise<ProviderIdentity | undefined> {
    return this.identities.find(subject);
  }

  listOf(userId: number): Promise<ProviderIdentity[]> {
    return this.identities.listOf(userId);
  }

  /** For a sign-in or a link: the user is locked, so that a proof of the address comes before it or ends it. */
  findLocked(subject: ProviderSubject): Promise<ProviderIdentity | undefined> {
    return this.identities.findLocked(subject);
  }

  /** Of a member whom the provider of an organization made: the address of the user tells for whom. */
  admit(identity: SubjectOfUser, refreshToken: string | undefined): Promise<number> {
    return this.add(identity, refreshToken, true);
  }

  /** Of a user who asked for it in a session, which must not have ended meanwhile. The user is notified. */
  async link(identity: SubjectOfUser, sessionId: number, refreshToken: string | undefined): Promise<number> {
    if (!(await this.rows.lockUserOf(sessionId, identity.userId))) throw sessionNotFound();
    const id = await this.add(identity, refreshToken, false);
    const { userAgent } = this.unitOfWork;
    const mail = identityLinkedMail({ issuer: identity.issuer, userAgent, at: this.clock.now() });
    await this.mails.add({ kind: 'notice', userId: identity.userId, ...mail });
    return id;
  }

  /** The provider has confirmed the user. Without a new refresh token the earlier one stays. */
  async confirm(id: number, refreshToken: string | undefined): Promise<void> {
    const sealed = this.sealed(refreshToken);
    await this.identities.change(id, { checked: this.clock.now(), ended: null, ...(sealed !== null && { sealed }) });
  }

  /** Adds to the session of the same user, whose token changes, so that one that was planted is worth nothing. */
  async openSession({ identityId, userId, sid, client, current }: OpenedByProvider): Promise<NewSession> {
    const token = newToken();
    const isSame =
      current?.caller.facts.userId === userId && (await this.rows.replaceToken(current.sessionId, hashToken(token)));
    if (current !== undefined && current.caller.facts.userId !== userId)
      await this.rows.end(current.caller.facts.userId, current.sessionId);
    const session = isSame ? { id: current.sessionId, token } : await this.sessions.beginSignIn(userId, client, false);
    await this.identities.addToSession(session.id, identityId, sid ?? null);
    this.unitOfWork.note({ resourceId: String(session.id) });
    return { token: session.token, userId };
  }

  /** The provider no longer knows the user: sessions lose the organization, and keys end. */
  async end(identity: ProviderIdentity): Promise<void> {
    await this.identities.change(identity.id, { ended: this.clock.now(), sealed: null });
    await this.identities.closeSessions(identity);
    const keys = await this.identities.revokeKeysOf(identity.id);
    const { id, userId, organizationId, issuer } = identity;
    await this.unitOfWork.recordPart(
      { operation: 'provider_identity.end', resourceType: 'provider_identity', resourceId: String(id) },
      { organizationId, metadata: { user_id: userId, provider: issuer, revoked_keys: keys } },
    );
    this.unitOfWork.afterCommit(() => this.authenticator.clearCache());
  }

  /** The decision of the user after a new password. */
  async keep(identity: ProviderIdentity): Promise<void> {
    await this.identities.change(identity.id, { reviewSince: null });
  }

  async unlink(identity: ProviderIdentity): Promise<void> {
    await this.end(identity);
    await this.identities.remove(identity.id);
  }

  async unlinkAllOf(organizationId: number): Promise<void> {
    for (const identity of await this.identities.listOfOrganization(organizationId)) await this.unlink(identity);
  }

  /** Returns the identities whose sessions ended. Keys stay: a user who signs out has not left. */
  closeSessions(ended: EndedAtProvider): Promise<number[]> {
    return this.identities.closeSessions(ended);
  }

  /** What the organization requires of its members; undefined if it requires nothing. */
  findRequirement(organizationId: number): Promise<ProviderRequirement | undefined> {
    return this.identities.findRequirement(organizationId);
  }

  /** Keys of other sessions that are made from now on do not open the organization. */
  async require(organizationId: number, breakGlassUserId: number): Promise<void> {
    await this.identities.require({ organizationId, breakGlassUserId, since: this.clock.now() });
    this.unitOfWork.afterCommit(() => this.authenticator.clearCache());
  }

  async requireNoLonger(organizationId: number): Promise<void> {
    await this.identities.requireNoLonger(organizationId);
    this.unitOfWork.afterCommit(() => this.authenticator.clearCache());
  }

  listUnconfirmed(
    scope: Scope,
    before: Date,
    limit: number,
  ): Promise<Pick<ProviderIdentity, 'id' | 'organizationId'>[]> {
    return this.identities.listUnconfirmed(scope, before, limit);
  }

  /** With the refresh token; undefined if it has none, or has ended. */
  async findWithToken(id: number): Promise<IdentityWithToken | undefined> {
    const identity = await this.identities.findById(id);
    if (identity === undefined || identity.sealed === null || identity.ended !== null) return undefined;
    const refreshToken = unseal(identity.sealed, NAME, decryptionKeysOf(this.config), REMEDY).toString();
    return { identity, refreshToken };
  }

  private add(identity: SubjectOfUser, refreshToken: string | undefined, isAdmitted: boolean): Promise<number> {
    const { userAgent } = this.unitOfWork;
    const state = { checked: this.clock.now(), sealed: this.sealed(refreshToken), userAgent };
    return this.identities.save({ ...identity, ...state }, isAdmitted);
  }

  private sealed(refreshToken: string | undefined): Buffer | null {
    return refreshToken === undefined ? null : seal(Buffer.from(refreshToken), NAME, secretKeyOf(this.config));
  }
}
