import { roles } from '../../../kernel/role';
import { ResponseField } from '../../../platform/api/response-field';
import type { HandedLink } from '../password-resets.service';
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

  @ResponseField.boolean({
    description: 'Whether the person has opened a link that was sent to the address, or the operator has proved it.',
  })
  address_proved!: boolean;

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
    description:
      'Opens the page where the user sets a new password. Shown only once. Null if it was sent by mail, and in a repeated response.',
  })
  link!: string | null;

  @ResponseField.instant({ nullable: true, description: 'Null if the link was sent by mail: an hour after that.' })
  expires!: string | null;
}

export const memberExample: MemberResponse = {
  user_id: 12,
  email: 'olga@example.com',
  name: 'Olga Petrova',
  role: 'admin',
  address_proved: true,
  created: '2026-01-31T12:00:00.000Z',
};

export const presentPasswordReset = (handed: HandedLink | undefined): PasswordResetResponse => ({
  link: handed?.link ?? null,
  expires: handed?.expires.toISOString() ?? null,
});

export const presentMember = ({ userId, email, name, role, isAddressProved, created }: Member): MemberResponse => ({
  user_id: userId,
  email,
  name,
  role,
  address_proved: isAddressProved,
  created: created.toISOString(),
});
