import type { MigrationInterface, QueryRunner } from 'typeorm';

const isUntested = `(check_id IS NULL OR verification IN ('untested', 'inconclusive')) AND (status BETWEEN 1 AND 4 OR merged_into IS NOT NULL)`;

/** The host on which a file has a finding, where the asset is a domain above it or a block around it: jobs on the host list it. */
export class AddHostsOfPlaces1796680000000 implements MigrationInterface {
  name = 'AddHostsOfPlaces1796680000000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE findings ADD COLUMN IF NOT EXISTS place_host text');
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS ix_findings_untested_host');
    await queryRunner.query(`CREATE INDEX CONCURRENTLY ix_findings_untested_host ON findings (organization_id, place_host)
      WHERE place_host IS NOT NULL AND ${isUntested}`);
    // In portions, so that nobody waits long for a row.
    await queryRunner.query(`DO $$
      DECLARE after_id int := 0; last_id int;
      BEGIN
        LOOP
          SELECT max(id) INTO last_id FROM (SELECT id FROM findings WHERE id > after_id ORDER BY id LIMIT 10000) portion;
          EXIT WHEN last_id IS NULL;
          UPDATE findings f SET place_host = seen.host
          FROM (SELECT id, organization_id, asset_value FROM findings
                WHERE id > after_id AND id <= last_id AND position('://' IN asset_value) = 0 AND ${isUntested}) own
            CROSS JOIN LATERAL (
              SELECT s.place, left(btrim(substring(s.place FROM '^(?:[a-z]+://)?(\\[[0-9a-f:.]+\\]|[^/:? ]+)'), '[]'), 253) AS host
              FROM finding_sightings s WHERE s.finding_id = own.id AND s.import_id IS NOT NULL AND s.place IS NOT NULL
              ORDER BY s.id LIMIT 1) seen
          WHERE f.id = own.id AND f.organization_id = own.organization_id AND f.place_host IS NULL
            AND seen.host <> own.asset_value AND NOT starts_with(seen.place, own.asset_value);
          COMMIT;
          after_id := last_id;
        END LOOP;
      END $$`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
