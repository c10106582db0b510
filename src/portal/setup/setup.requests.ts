import { EMAIL_PATTERN, MAX_EMAIL_LENGTH, requireEmail } from '../../modules/identity';
import { Name, Text, TextWithRule } from '../../platform/http/fields';

export class SetupForm {
  @Name(200)
  organization!: string;

  @Name(200, { optional: true })
  name?: string;

  @TextWithRule(requireEmail, { minLength: 3, maxLength: MAX_EMAIL_LENGTH, pattern: EMAIL_PATTERN })
  email!: string;

  @Text(1, 1_000)
  password!: string;
}
