import { roles, type Role } from '../../../kernel/role';
import { OneOf, TextWithRule } from '../../../platform/http/fields';
import { EMAIL_PATTERN, MAX_EMAIL_LENGTH, requireEmail } from '../domain/email-address';

export class CreateInvitationRequest {
  @TextWithRule(requireEmail, { minLength: 3, maxLength: MAX_EMAIL_LENGTH, pattern: EMAIL_PATTERN })
  email!: string;

  @OneOf(roles, { description: 'The role that the person gets.' })
  role!: Role;
}
