import { invalid } from '../../../kernel/domain-error';
import { type Role, roles } from '../../../kernel/role';

/** A provider gives every role but owner. */
export const PROVIDER_ROLES = ['viewer', 'member', 'admin'] as const;
export type ProviderRole = (typeof PROVIDER_ROLES)[number];

export interface GroupRole {
  readonly group: string;
  readonly role: ProviderRole;
}

export interface RoleMapping {
  readonly roles: readonly GroupRole[];
  /** Of users without a group in the list; null: they are refused. */
  readonly defaultRole: ProviderRole | null;
}

const MAX_GROUPS = 100;
const LINE = /^(?<group>\S.{0,199}?)\s*=\s*(?<role>\w+)$/;

const isProviderRole = (text: string | undefined): text is ProviderRole =>
  PROVIDER_ROLES.includes(text as ProviderRole);

/** Lines such as `security-team = admin`. */
export function parseGroupRoles(text: string): GroupRole[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length > MAX_GROUPS) throw invalid(`roles must have at most ${MAX_GROUPS} lines.`);
  return lines.map((line) => {
    const { group = '', role } = LINE.exec(line.trim())?.groups ?? {};
    if (!isProviderRole(role))
      throw invalid(`roles must have lines such as "security-team = admin", with ${PROVIDER_ROLES.join(', ')}.`);
    return { group, role };
  });
}

export const groupRolesText = (mapping: readonly GroupRole[]): string =>
  mapping.map(({ group, role }) => `${group} = ${role}`).join('\n');

/** The highest role of the groups; null if the user is refused. */
export function roleOfGroups({ roles: mapping, defaultRole }: RoleMapping, groups: readonly string[]): Role | null {
  const mapped = mapping.filter(({ group }) => groups.includes(group)).map(({ role }) => role);
  return roles.findLast((role) => mapped.some((one) => one === role)) ?? defaultRole;
}

/** The role of a member after a sign-in. Owners are made and unmade by people; without a mapping all roles are. */
export function roleOfMember(mapping: RoleMapping, groups: readonly string[], now: Role): Role | null {
  return now === 'owner' || mapping.roles.length === 0 ? now : roleOfGroups(mapping, groups);
}
