import { notFound } from '../../kernel/domain-error';

/** Refuses a record that is visible to the caller but belongs to another organization than the path names. */
export function requireInOrganization(record: { readonly organizationId: number }, organizationId: number): void {
  if (record.organizationId !== organizationId) throw notFound('Page');
}
