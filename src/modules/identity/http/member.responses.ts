import { roles } from '../../../kernel/role';
import { ResponseField } from '../../../platform/api/response-field';
import type { Member } from '../data/members.repository';

export class MemberResponse {
  @ResponseField.integer()
  user_id!: number;

  @ResponseField.string()
  email!: string;

  @ResponseField.string({ nullable: true, description: 'As reports show it.' })
  name!: string | null;

  @ResponseField.string({ enum: roles })
  role!: string;

  @ResponseField.instant({ description: 'When the user joined the organization.' })
  created!: string;
}

export class MemberListResponse {
  @ResponseField.list(MemberResponse)
  members!: MemberResponse[];
}

export class PasswordResetResponse {
  @ResponseField.string({
    nullable: true,
    description: 'Opens the page where the user sets a new password. Shown only once; null in a repeated response.',
  })
  link!: string | null;

  @ResponseField.instant()
  expires!: string;
}

export const memberExample: MemberResponse = {
  user_id: 12,
  email: 'olga@example.com',
  name: 'Olga Petrova',
  role: 'admin',
  created: '2026-01-31T12:00:00.000Z',
};

export const presentMember = ({ userId, email, name, role, created }: Member): MemberResponse => ({
  user_id: userId,
  email,
  name,
  role,
  created: created.toISOString(),
});
