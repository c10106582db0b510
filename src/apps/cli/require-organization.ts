import type { Client } from 'pg';
import { notFound } from '../../kernel/domain-error';

/** Throws if there is no such organization. */
export async function requireOrganization(
  client: Client,
  organizationId: number,
  { isDeletedToo = false }: { readonly isDeletedToo?: boolean } = {},
): Promise<void> {
  const { rowCount } = await client.query(
    'SELECT 1 FROM organizations WHERE id = $1 AND (deleted_at IS NULL OR $2::boolean)',
    [organizationId, isDeletedToo],
  );
  if (rowCount === 0) throw notFound('Organization');
}
