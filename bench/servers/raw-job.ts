/** Of `jobs j`. */
export const jobColumns =
  'j.id, j.uuid, j.url, j.beacon_id, j.hosted_by, j.hosted_target, j.checks, j.depth, j.status, j.created, j.started, j.finished';

export interface JobRow {
  readonly uuid: string;
  readonly url: string;
  readonly beacon_id: number | null;
  readonly hosted_by: string | null;
  readonly hosted_target: string | null;
  readonly checks: string[] | null;
  readonly depth: string;
  readonly status: string;
  readonly created: Date;
  readonly started: Date | null;
  readonly finished: Date | null;
}

/** The properties have the order of the service. */
export const presentJob = (row: JobRow): object => ({
  created: row.created.toISOString(),
  started: row.started?.toISOString() ?? null,
  finished: row.finished?.toISOString() ?? null,
  hosted_by: row.hosted_by,
  hosted_target: row.hosted_target,
  uuid: row.uuid,
  url: row.url,
  beacon_id: row.beacon_id,
  checks: row.checks,
  depth: row.depth,
  status: row.status,
});
