import { requireEmail } from '../../modules/identity';
import { parseGroupRoles, PROVIDER_ROLES, type ProviderRole } from '../../modules/providers';
import { Flag, Id, OneOf, SingleLineText, Text, TextWithRule } from '../../platform/http/fields';
import { SignInQuery } from '../sign-in/sign-in.requests';

export class AddressForm extends SignInQuery {
  @TextWithRule(requireEmail, { maxLength: 254 })
  email!: string;
}

export class LogoutForm {
  @Text(1, 20_000)
  logout_token!: string;
}

export class ProviderForm {
  @SingleLineText(500)
  issuer!: string;

  @SingleLineText(500)
  client_id!: string;

  /** Empty keeps the earlier one. */
  @SingleLineText(1_000, { optional: true })
  client_secret?: string;

  @SingleLineText(100)
  groups_claim!: string;

  /** Checked here, and read by `groupRoles`. */
  @TextWithRule(parseGroupRoles, { maxLength: 25_000 }, { optional: true })
  roles?: string;

  @OneOf(PROVIDER_ROLES, { optional: true })
  default_role?: ProviderRole;

  @Flag({ optional: true })
  creates_users?: boolean;
}

export class VerifiedEmailForm {
  @Flag({ optional: true })
  is_needed?: boolean;
}

export class RequirementForm {
  @Id()
  break_glass!: number;
}
