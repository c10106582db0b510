/** The roles of a user in an organization, in ascending order: each role includes the rights of those before it. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const;

export type Role = (typeof roles)[number];

export const isAtLeast = (role: Role, required: Role): boolean => roles.indexOf(role) >= roles.indexOf(required);
