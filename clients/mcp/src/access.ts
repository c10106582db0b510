import type { Schemas } from '../../sdk/src';

export type Me = Schemas['MeResponse'];

/** As many organizations as `GET /v1/me` lists. There may be more. */
const MAX_LISTED = 100;

/**
 * Why an agent may not change anything, or undefined if it may. Each organization that the key reaches must allow it, because a
 * tool cannot always know the organization before the change.
 */
export function writeRefusal({ organizations, key }: Me, isReadOnly: boolean): string | undefined {
  if (isReadOnly) return 'This server was started with --read-only.';
  if (!key.scopes.includes('write')) return 'The API key does not have the scope write.';
  const reached =
    key.organization_id === null ? organizations : organizations.filter(({ id }) => id === key.organization_id);
  if (reached.length === 0) return 'The API key reaches no organization.';
  if (reached.length >= MAX_LISTED)
    return 'The API key reaches too many organizations. Use one that is limited to one.';
  const refusing = reached.find(({ mcp_write: mayWrite }) => (mayWrite as unknown) !== true);
  if (refusing === undefined) return undefined;
  return `Organization ${refusing.id} does not allow agents to change anything. An owner can turn on mcp_write, or limit the key to an organization that has it.`;
}
