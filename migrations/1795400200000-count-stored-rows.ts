import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = [
  'memberships',
  'invitations',
  'idempotency_keys',
  'assets',
  'accepted_checks',
  'domains',
  'events',
  'event_scope',
  'findings',
  'event_findings',
  'finding_history',
  'finding_sightings',
  'finding_baselines',
  'retests',
  'jobs',
  'job_findings',
  'reports',
  'report_file_chunks',
  'imports',
  'import_proposals',
  'import_rows',
];

/**
 * Counts what exists, in one statement and so in one snapshot: what it sees of rows that changed since the migration before, it
 * also sees in stored_rows, and subtracts.
 */
export class CountStoredRows1795400200000 implements MigrationInterface {
  name = 'CountStoredRows1795400200000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      INSERT INTO stored_rows (organization_id, table_name, rows, bytes)
      SELECT c.organization_id, c.table_name, sum(c.rows), sum(c.bytes) FROM (
        SELECT s.organization_id, s.table_name, -s.rows AS rows, -s.bytes AS bytes FROM stored_rows s
        ${TABLES.map(
          (table) =>
            `UNION ALL SELECT t.organization_id, '${table}', count(*), sum(octet_length((t.*)::text)) FROM ${table} t GROUP BY 1`,
        ).join('\n        ')}) c
      WHERE c.organization_id IS NOT NULL
      GROUP BY 1, 2 HAVING sum(c.rows) <> 0 OR sum(c.bytes) <> 0`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
