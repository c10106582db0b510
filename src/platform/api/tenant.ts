export interface Owner {
  readonly organizationId: number | null;
  readonly integratorId: number | null;
}

/** Whose share of limits per tenant something uses: that of its integrator, or else of its organization. */
export function tenantOf({ integratorId, organizationId }: Owner): string {
  if (integratorId !== null) return `integrator ${integratorId}`;
  return organizationId === null ? 'system' : `organization ${organizationId}`;
}
