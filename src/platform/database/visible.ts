import type { Scope } from '../api/scope';
import { type Sql, allOf, raw, sql } from './sql';

/** The condition that an organization (`alias`) is in the scope and not deleted. */
export function visibleOrganization(scope: Scope, alias: string): Sql {
  const o = raw(alias);
  return allOf([
    sql`${o}.deleted_at IS NULL`,
    scope.organizationIds && sql`${o}.id = ANY(${scope.organizationIds}::int[])`,
    scope.exceptIds && sql`${o}.id <> ALL(${scope.exceptIds}::int[])`,
    scope.integratorId === undefined ? undefined : sql`${o}.integrator_id = ${scope.integratorId}`,
  ]);
}

/** The same for a row of a tenant table; `column` contains the id of its organization. */
export function visibleTo(scope: Scope, column: string): Sql {
  const owner = raw(column);
  return sql`EXISTS (SELECT 1 FROM organizations visible WHERE visible.id = ${owner} AND ${visibleOrganization(scope, 'visible')})`;
}

/** Rows (`own`) of each organization in the scope (`o`), through its own index, so that rows of others cost nothing. */
export const ofEachOrganization = (scope: Scope, own: Sql): Sql => sql`
  FROM organizations o CROSS JOIN LATERAL (${own}) own WHERE ${visibleOrganization(scope, 'o')}`;

/** For work of the service itself, also on what belongs to no organization, or to a deleted one. */
export function ownedIn(scope: Scope, column: string): Sql {
  const owner = raw(column);
  return allOf([
    scope.organizationIds && sql`${owner} = ANY(${scope.organizationIds}::int[])`,
    scope.exceptIds && sql`(${owner} <> ALL(${scope.exceptIds}::int[]) OR ${owner} IS NULL)`,
  ]);
}
