import { SingleLineText, Text } from '../../platform/http/fields';

export class SignInQuery {
  @Text(0, 2_000, { optional: true })
  next?: string;
}

export class SignInForm extends SignInQuery {
  @SingleLineText(320)
  email!: string;

  @Text(1, 1_000)
  password!: string;
}

export class CodeForm extends SignInQuery {
  @SingleLineText(100)
  code!: string;
}

export class PasskeyForm extends SignInQuery {
  @Text(0, 20_000)
  response!: string;
}
