import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { DomainError } from '../../kernel/domain-error';
import { DomainsService } from '../assets';
import {
  type AccessPath,
  AccessPaths,
  type CurrentSession,
  EMAIL_PATTERN,
  type ProviderIdentity,
  ProviderIdentities,
  ProviderMembers,
  ProvisionedMembers,
} from '../identity';
import { domainOfAddress, type ProviderClaims } from './domain/provider-claims';
import { noRole, ProviderFailure, userExists } from './domain/provider.errors';
import { roleOfGroups, roleOfMember } from './domain/role-mapping';
import type { ProviderAnswer } from './provider-clients';
import type { Provider } from './providers.service';

export interface Admitted {
  readonly identityId: number;
  readonly userId: number;
}

const WITH_SESSION = 'those that link a provider end with the session, by a reference in the database';

/** Sign-ins that wait for the answer of a provider. */
const begunSignIns: AccessPath = {
  name: 'sign-ins at a provider',
  tables: ['provider_sign_ins'],
  proved: WITH_SESSION,
  withdrawn: WITH_SESSION,
  new_password: WITH_SESSION,
  left: WITH_SESSION,
  signed_out: WITH_SESSION,
};

const EMAIL = new RegExp(EMAIL_PATTERN);
const NOT_LINKED = 'This subject is not linked to a user, and the provider creates none.';

/**
 * Whom a provider signs in. A user is known by the issuer and the subject for this organization, and never by an address: another
 * organization's provider could assert any.
 */
@Injectable()
export class ProviderAdmission implements OnModuleInit {
  constructor(
    private readonly identities: ProviderIdentities,
    private readonly members: ProviderMembers,
    private readonly domains: DomainsService,
    private readonly provisioned: ProvisionedMembers,
    private readonly paths: AccessPaths,
  ) {}

  /** A member keeps the sign-in of the organization that has verified the domain of the address. */
  onModuleInit(): void {
    this.paths.register(begunSignIns);
    this.paths.vouch(({ organizationId, email }) => this.domains.isVerifiedFor(organizationId, domainOfAddress(email)));
  }

  find({ organizationId, issuer }: Provider, { subject }: ProviderClaims): Promise<ProviderIdentity | undefined> {
    return this.identities.find({ organizationId, issuer, subject });
  }

  private findLocked({ organizationId, issuer }: Provider, { subject }: ProviderClaims) {
    return this.identities.findLocked({ organizationId, issuer, subject });
  }

  /** In a unit of work. Undefined if the groups of the user have no role: sessions and keys have ended then. */
  async admit(provider: Provider, { claims, refreshToken }: ProviderAnswer): Promise<Admitted | undefined> {
    if (provider.organizationId !== null) await this.members.lock(provider.organizationId);
    const identity = await this.findLocked(provider, claims);
    if (identity === undefined) return this.join(provider, provider.organizationId, { claims, refreshToken });
    if (!(await this.applyGroups(provider, identity, claims))) return undefined;
    await this.identities.confirm(identity.id, refreshToken);
    return { identityId: identity.id, userId: identity.userId };
  }

  /** In a unit of work, for a user who has asked for it while signed in the other way. */
  async link(
    provider: Provider,
    { claims, refreshToken }: ProviderAnswer,
    { caller, sessionId }: CurrentSession,
  ): Promise<Admitted> {
    const { organizationId, issuer } = provider;
    const { userId } = caller.facts;
    const identity = await this.findLocked(provider, claims);
    if (identity !== undefined && identity.userId === userId) {
      await this.identities.confirm(identity.id, refreshToken);
      return { identityId: identity.id, userId };
    }
    const linked = { organizationId, issuer, subject: claims.subject, userId };
    return { identityId: await this.identities.link(linked, sessionId, refreshToken), userId };
  }

  /** The role follows the groups. Returns false, and ends the identity, if they have none. */
  async applyGroups(provider: Provider, identity: ProviderIdentity, { groups }: ProviderClaims): Promise<boolean> {
    const { organizationId } = provider;
    if (organizationId === null) return true;
    await this.members.lock(organizationId);
    const now = await this.members.roleOf(organizationId, identity.userId);
    const role = now === undefined ? null : roleOfMember(provider, groups, now);
    if (now === undefined || role === null) {
      await this.identities.end(identity);
      return false;
    }
    if (role !== now) await this.members.changeRole(organizationId, identity.userId, now, role);
    return true;
  }

  /** The first sign-in of a subject links a member whom SCIM has added, or makes a user where the organization allows it. */
  private async join(
    provider: Provider,
    organizationId: number | null,
    { claims, refreshToken }: ProviderAnswer,
  ): Promise<Admitted> {
    const refuse = (reason: string, forUser?: DomainError): never => {
      throw new ProviderFailure(reason, 'refused', claims.shown, forUser);
    };
    if (organizationId === null) return refuse(NOT_LINKED);
    const { email = '', name, subject } = claims;
    const unusable = await this.whyUnusable(provider, organizationId, claims);
    const address = unusable === undefined ? email : undefined;
    const known = await this.provisioned.findUnclaimedMember(organizationId, subject, address);
    if (known === undefined && !provider.createsUsers) return refuse(NOT_LINKED);
    if (known === undefined && unusable !== undefined) return refuse(unusable);
    const { groups } = claims;
    const role = known === undefined ? roleOfGroups(provider, groups) : roleOfMember(provider, groups, known.role);
    if (role === null) throw noRole(claims.shown);
    if (known === undefined && (await this.members.isUser(email)))
      return refuse('A user with this address exists, who has not linked the provider.', userExists());
    const userId = known?.userId ?? (await this.members.create(organizationId, { email, name, role }));
    if (known !== undefined && role !== known.role)
      await this.members.changeRole(organizationId, userId, known.role, role);
    const { issuer } = provider;
    return {
      identityId: await this.identities.admit({ organizationId, issuer, subject, userId }, refreshToken),
      userId,
    };
  }

  private async whyUnusable(
    { needsVerifiedEmail }: Provider,
    organizationId: number,
    { email = '', isEmailVerified = !needsVerifiedEmail }: ProviderClaims,
  ) {
    if (!EMAIL.test(email) || !isEmailVerified) return `The claim email is missing, or email_verified is not true.`;
    const domain = domainOfAddress(email);
    if (await this.domains.isVerifiedFor(organizationId, domain)) return undefined;
    return `The organization has not verified the domain ${domain}.`;
  }
}
