import { SingleLineText, Text } from '../../platform/http/fields';

export class NewPasswordForm {
  @Text(1, 1_000)
  password!: string;
}

export class ForgottenPasswordForm {
  @SingleLineText(320)
  email!: string;
}
