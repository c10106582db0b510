export { EMAIL_PATTERN, MAX_EMAIL_LENGTH, requireEmail } from './domain/email-address';
export { CreateInvitationRequest } from './http/invitation.requests';
export { ChangeMemberRequest } from './http/member.requests';
export type { Member } from './data/members.repository';
export type { KeyOfMember, KeyOfUser } from './data/keys.repository';
export { AccessPaths } from './access-paths.service';
export type { AccessPath } from './data/access-paths';
export { AccountService, type WaysToConfirm } from './account.service';
export { ApiKeysService, type KeyWithSecret, type OwnKeyDraft } from './api-keys.service';
export { ApiKeysController } from './http/api-keys.controller';
export { Callers } from './callers.service';
export { InvitationsController } from './http/invitations.controller';
export { MembersController } from './http/members.controller';
export { IdentityModule } from './identity.module';
export { IdentityService, type UserDraft } from './identity.service';
export { KNOWN_BROWSER_MS, KnownBrowsers } from './known-browsers';
export { type DescribedInvitation, type InvitationView, InvitationsService } from './invitations.service';
export { displayNameOf } from './domain/display-name';
export type { EndedCredentials } from './domain/ended-credentials';
export { type GivenPasskey, PasskeysService } from './passkeys.service';
export { PASSKEY_CHALLENGE_MS, type PasskeyPurpose, PasskeyChallenges } from './passkey-challenges';
export type { OwnFactors } from './data/own-factors';
export type { Passkey } from './data/passkey.entity';
export { relyingPartyOf } from './domain/relying-party';
export { MemberKeysService } from './member-keys.service';
export {
  type GroupDraft,
  MAX_GROUP_MEMBERS,
  MAX_GROUP_NAME_LENGTH,
  MAX_GROUPS,
  MemberGroupsService,
} from './member-groups.service';
export type { GroupOfMembers } from './data/member-groups.repository';
export { MemberGroupsController } from './http/member-groups.controller';
export { OwnerField, OwnerFilterField } from './http/owner.fields';
export { isOwner, NO_OWNER, type Owner, type OwnerFilter, ownerFilterOf, ownerOf, storedOwner } from './domain/owner';
export { OwnedRecords } from './owned-records';
export { MemberMail } from './member-mail';
export { MembersService } from './members.service';
export { type HandedLink, PasswordResetsService } from './password-resets.service';
export type { ProviderIdentity } from './data/provider-identity.entity';
export { hashToken, newToken } from './domain/token';
export { ownSignInNeeded } from './domain/provider-sign-in.errors';
export {
  type CurrentSession,
  type IdentityWithToken,
  type OpenedByProvider,
  ProviderIdentities,
} from './provider-identities.service';
export { ProviderMembers } from './provider-members.service';
export type { ProvisionedUser } from './data/provisioned-members.repository';
export { ProvisionedMembers } from './provisioned-members.service';
export { reencryptRows, type SealedSecrets, SealedSecretsService } from './sealed-secrets.service';
export { type Enrollment, type SecondFactorState, SecondFactorService } from './second-factor.service';
export { LIFETIME_MS, type SessionClient, SessionsService, type SignedIn } from './sessions.service';
export { type FirstOwner, SetupService } from './setup.service';
export { CHALLENGE_MS, type NewSession, type SignInResult, SignInsService } from './sign-ins.service';
export type { KeyOfOrganization } from './data/organization-keys.repository';
export type { SignInRules } from './data/sign-in-rules.entity';
export { OrganizationClosed } from './domain/identity.errors';
export {
  forbiddenScopes,
  livesTooLong,
  MAX_SESSION_MINUTES,
  MIN_SESSION_MINUTES,
  type Requirement,
  REQUIREMENTS,
  type UnmetRequirement,
} from './domain/sign-in-rules';
export { SignInRulesService } from './sign-in-rules.service';
export { SignInRulesController } from './http/sign-in-rules.controller';
