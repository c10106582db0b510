import { roles, type Role } from '../../../kernel/role';
import { OneOf } from '../../../platform/http/fields';

export class ChangeMemberRequest {
  @OneOf(roles, { description: 'The new role.' })
  role!: Role;
}
