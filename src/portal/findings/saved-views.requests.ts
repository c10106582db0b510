import { MAX_VIEW_NAME_LENGTH } from '../../modules/findings';
import { Name, Text } from '../../platform/http/fields';

export class RenameViewForm {
  @Name(MAX_VIEW_NAME_LENGTH)
  name!: string;
}

export class SaveViewForm extends RenameViewForm {
  /** The query string of the list. */
  @Text(0, 2_000, { optional: true })
  query?: string;
}
