import { Name, Text } from '../../platform/http/fields';

export class NewAccountForm {
  @Name(200, { optional: true })
  name?: string;

  @Text(1, 1_000)
  password!: string;
}
