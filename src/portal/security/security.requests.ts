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

export class CurrentPasswordForm {
  @Text(1, 1_000)
  current!: string;
}

export class CodeForm {
  @SingleLineText(100)
  code!: string;
}

export class TurnOffForm extends CurrentPasswordForm {
  @SingleLineText(100)
  code!: string;
}
