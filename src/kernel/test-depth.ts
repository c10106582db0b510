/** How far a job goes: `active` also sends experiments that try to inject, where an admin allows them. */
export const TEST_DEPTHS = ['standard', 'active'] as const;

export type TestDepth = (typeof TEST_DEPTHS)[number];
