import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Authenticator } from '../../platform/auth/authenticator';
import { OrganizationsModule } from '../organizations';
import { AccessPaths } from './access-paths.service';
import { AccountService } from './account.service';
import { AddressProofsService } from './address-proofs.service';
import { ApiKeysService } from './api-keys.service';
import { CallingCredentials } from './calling-credentials';
import { Callers } from './callers.service';
import { AccessChange } from './data/access-change.entity';
import { AccessChangesRepository } from './data/access-changes.repository';
import { AccessPathsRepository } from './data/access-paths.repository';
import { AddressProof } from './data/address-proof.entity';
import { AddressProofsRepository } from './data/address-proofs.repository';
import { ApiKeyOrganization } from './data/api-key-organization.entity';
import { ApiKeyReview } from './data/api-key-review.entity';
import { CodeAttempts } from './data/code-attempts.entity';
import { MailedPasswordReset } from './data/mailed-password-reset.entity';
import { Mail } from './data/mail.entity';
import { Passkey } from './data/passkey.entity';
import { PasskeysRepository } from './data/passkeys.repository';
import { ProviderIdentitiesRepository } from './data/provider-identities.repository';
import { ProviderIdentity } from './data/provider-identity.entity';
import { ProvisionedMember } from './data/provisioned-member.entity';
import { ProvisionedMembersRepository } from './data/provisioned-members.repository';
import { ProviderRequirement } from './data/provider-requirement.entity';
import { RecoveryCode } from './data/recovery-code.entity';
import { SecondFactor } from './data/second-factor.entity';
import { SetupLink } from './data/setup-link.entity';
import { OrganizationKeysRepository } from './data/organization-keys.repository';
import { SignInRules } from './data/sign-in-rules.entity';
import { SignInRulesRepository } from './data/sign-in-rules.repository';
import { SignInChallenge } from './data/sign-in-challenge.entity';
import { MailedPasswordResetsRepository } from './data/mailed-password-resets.repository';
import { MailsRepository } from './data/mails.repository';
import { SecondFactorsRepository } from './data/second-factors.repository';
import { SetupLinksRepository } from './data/setup-links.repository';
import { SignInChallengesRepository } from './data/sign-in-challenges.repository';
import { ApiKey } from './data/api-key.entity';
import { Invitation } from './data/invitation.entity';
import { InvitationsRepository } from './data/invitations.repository';
import { MembersRepository } from './data/members.repository';
import { PasswordReset } from './data/password-reset.entity';
import { PasswordResetsRepository } from './data/password-resets.repository';
import { ReplacedPasswordReset } from './data/replaced-password-reset.entity';
import { Session } from './data/session.entity';
import { SessionIdentity } from './data/session-identity.entity';
import { SessionsRepository } from './data/sessions.repository';
import { KeysRepository } from './data/keys.repository';
import { MemberGroup } from './data/member-group.entity';
import { MemberGroupMember } from './data/member-group-member.entity';
import { MemberGroupsRepository } from './data/member-groups.repository';
import { Membership } from './data/membership.entity';
import { User } from './data/user.entity';
import { UsersRepository } from './data/users.repository';
import { IdentityService } from './identity.service';
import { InvitationsService } from './invitations.service';
import { KeyAuthenticator } from './key-authenticator';
import { KnownBrowsers } from './known-browsers';
import { MailQueue } from './mail-queue';
import { MemberGroupsService } from './member-groups.service';
import { MemberKeysService } from './member-keys.service';
import { MemberMail } from './member-mail';
import { MembersService } from './members.service';
import { OwnedRecords } from './owned-records';
import { PasskeyChallenges } from './passkey-challenges';
import { PasskeysService } from './passkeys.service';
import { PasswordVerifier } from './password-verifier';
import { PasswordResetsService } from './password-resets.service';
import { ProviderIdentities } from './provider-identities.service';
import { ProvisionedMembers } from './provisioned-members.service';
import { ProviderMembers } from './provider-members.service';
import { SealedSecretsService } from './sealed-secrets.service';
import { SecondFactorService } from './second-factor.service';
import { SessionsService } from './sessions.service';
import { SignInAudit } from './sign-in-audit';
import { ProviderRequirements } from './provider-requirements.service';
import { SignInFailures } from './sign-in-failures';
import { SignInRulesService } from './sign-in-rules.service';
import { SignInsService } from './sign-ins.service';
import { SetupService } from './setup.service';
import { ExpiredCredentials } from './work/expired-credentials';
import { MailDelivery } from './work/mail-delivery';
import { OwnerRelease } from './work/owner-release';

@Module({
  imports: [
    OrganizationsModule,
    TypeOrmModule.forFeature([
      AddressProof,
      ApiKeyOrganization,
      ApiKeyReview,
      User,
      Membership,
      MemberGroup,
      MemberGroupMember,
      ApiKey,
      AccessChange,
      Session,
      Invitation,
      PasswordReset,
      MailedPasswordReset,
      ReplacedPasswordReset,
      Mail,
      Passkey,
      ProviderIdentity,
      ProviderRequirement,
      ProvisionedMember,
      SessionIdentity,
      RecoveryCode,
      CodeAttempts,
      SecondFactor,
      SetupLink,
      SignInChallenge,
      SignInRules,
    ]),
  ],
  providers: [
    AccessPaths,
    CallingCredentials,
    AccessPathsRepository,
    AddressProofsRepository,
    AddressProofsService,
    UsersRepository,
    MembersRepository,
    MemberGroupsRepository,
    OwnedRecords,
    OwnerRelease,
    InvitationsRepository,
    PasswordResetsRepository,
    KeysRepository,
    AccessChangesRepository,
    OrganizationKeysRepository,
    SignInRulesRepository,
    SessionsRepository,
    MailedPasswordResetsRepository,
    MailsRepository,
    PasskeysRepository,
    SecondFactorsRepository,
    SetupLinksRepository,
    SignInChallengesRepository,
    ProviderIdentitiesRepository,
    ProvisionedMembersRepository,
    KeyAuthenticator,
    { provide: Authenticator, useExisting: KeyAuthenticator },
    IdentityService,
    Callers,
    PasskeyChallenges,
    PasskeysService,
    SignInAudit,
    SignInsService,
    SignInRulesService,
    ProviderRequirements,
    SessionsService,
    ProviderIdentities,
    ProviderMembers,
    ProvisionedMembers,
    MembersService,
    MemberGroupsService,
    InvitationsService,
    PasswordResetsService,
    ApiKeysService,
    MemberKeysService,
    ExpiredCredentials,
    PasswordVerifier,
    KnownBrowsers,
    SignInFailures,
    SecondFactorService,
    SealedSecretsService,
    AccountService,
    SetupService,
    MailQueue,
    MailDelivery,
    MemberMail,
  ],
  exports: [
    AccessPaths,
    KnownBrowsers,
    Authenticator,
    Callers,
    IdentityService,
    PasskeyChallenges,
    PasskeysService,
    SignInsService,
    SignInRulesService,
    SessionsService,
    ProviderIdentities,
    ProviderMembers,
    ProvisionedMembers,
    MembersService,
    MemberGroupsService,
    OwnedRecords,
    InvitationsService,
    PasswordResetsService,
    ApiKeysService,
    MemberKeysService,
    SecondFactorService,
    SealedSecretsService,
    AccountService,
    SetupService,
    MemberMail,
  ],
})
export class IdentityModule {}
