import type { Scope } from '../../../platform/api/scope';
import { byId } from '../../../platform/database/list-order';
import { type Sql, sql } from '../../../platform/database/sql';
import { ofEachOrganization, visibleTo } from '../../../platform/database/visible';
import type { Job } from './job.entity';

/** The newest jobs of an organization that are searched for failures. */
const MAX_RECENT = 2_000;

/** Up to this number of organizations, a page reads up to its length from the index of each. */
const FEW_ORGANIZATIONS = 5;

export const newestFirst = byId<Job>('j.id');
export const newestOwn = byId<Job>('own.id');

export const hasFewOrganizations = ({ organizationIds }: Scope): boolean =>
  (organizationIds?.length ?? Infinity) <= FEW_ORGANIZATIONS;

export const newestOfEach = (scope: Scope, pageOfEach: Sql): Sql =>
  ofEachOrganization(scope, sql`SELECT j.id FROM jobs j WHERE j.organization_id = o.id${pageOfEach}`);

/** The recent jobs whose gate has failed since then. */
export const failedSince = (scope: Scope, organizationId: number, since: Date): Sql => sql`
  FROM (SELECT * FROM jobs own WHERE own.organization_id = ${organizationId} ORDER BY own.id DESC LIMIT ${MAX_RECENT}) j
  WHERE j.gate = 'failed' AND j.created >= ${since} AND ${visibleTo(scope, 'j.organization_id')}`;
