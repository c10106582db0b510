import { migrations } from '../../../migrations';

/** How the schema of the database compares with the one that this program was written for. */
export interface SchemaState {
  /** Migrations that did not run yet. */
  readonly missing: readonly string[];
  /** Whether a newer version has migrated, which it does before its processes start. */
  readonly isNewer: boolean;
}

/** `ran` are the names of the migrations that ran. */
export function schemaState(ran: readonly string[]): SchemaState {
  const known = migrations.map(({ name }) => name);
  return {
    missing: known.filter((name) => !ran.includes(name)),
    isNewer: ran.some((name) => !known.includes(name)),
  };
}
