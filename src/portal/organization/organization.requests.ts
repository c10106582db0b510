import { Name } from '../../platform/http/fields';

export class DeleteOrganizationForm {
  @Name(200)
  name!: string;
}
