/** What a user may be in an organization, least first: each may do all that those before it may. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const;

export type Role = (typeof roles)[number];

export const isAtLeast = (role: Role, required: Role): boolean => roles.indexOf(role) >= roles.indexOf(required);
