import { SingleLineText, Text } from '../../platform/http/fields';

export class SignInForm {
  @SingleLineText(320)
  email!: string;

  @Text(1, 1_000)
  password!: string;

  @Text(0, 2_000, { optional: true })
  next?: string;
}

export class SignInQuery {
  @Text(0, 2_000, { optional: true })
  next?: string;
}
