import { Name, SingleLineText, Text } from '../../platform/http/fields';

export class NameForm {
  @Name(200, { optional: true })
  name?: string;
}

export class PasswordForm {
  @Text(1, 1_000)
  current!: string;

  @Text(1, 1_000)
  password!: string;
}

export class CodeForm {
  @SingleLineText(100)
  code!: string;
}

/** The password, and a code or a passkey, as far as the user has them. */
export class ConfirmationForm {
  @Text(0, 1_000, { optional: true })
  current?: string;

  @Text(0, 100, { optional: true })
  code?: string;

  @Text(0, 20_000, { optional: true })
  response?: string;
}

export class PasskeyNameForm {
  @Name(100)
  name!: string;
}

export class NewPasskeyForm extends PasskeyNameForm {
  @Text(0, 20_000)
  response!: string;
}
