import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * findings.is_supported: a scanner has shown it with a request and a response, or a person has recorded it in an event.
 * findings.believed_since: since when it is proved, refuted, or neither. event_findings.belief_rank: the order within a priority.
 * The priorities of findings that exist change in work, also of those that processes of the version before record meanwhile.
 */
export class AddBelief1796690000000 implements MigrationInterface {
  name = 'AddBelief1796690000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE findings ADD COLUMN is_supported boolean NOT NULL DEFAULT false,
      ADD COLUMN believed_since timestamptz(3)`);
    await queryRunner.query('ALTER TABLE event_findings ADD COLUMN belief_rank int NOT NULL DEFAULT 1');
    await queryRunner.query(`INSERT INTO work (kind, reference, run_at)
      SELECT 'finding.beliefs', name, now() + wait FROM (VALUES ('upgrade', interval '0'), ('upgrade again', interval '1 hour')) AS runs (name, wait)
      WHERE EXISTS (SELECT 1 FROM findings)`);
    await queryRunner.query(feedWithBelief);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}

/** The functions of the feed show it beside the result of the test. Replacing a function locks no table. */
const feedWithBelief = `DO $do$
  DECLARE source text;
  BEGIN
    FOR source IN SELECT pg_get_functiondef(p.oid) FROM pg_proc p
      WHERE p.pronamespace = 'public'::regnamespace AND p.proname LIKE 'feed\\_%' AND p.prosrc LIKE '%''verification'', n.verification,%' LOOP
      EXECUTE replace(source, '''verification'', n.verification,', '''verification'', n.verification, ''belief'',
        CASE n.verification WHEN ''confirmed'' THEN ''proved'' WHEN ''refuted'' THEN ''refuted''
          ELSE CASE WHEN n.verification_reason IS NULL THEN ''untestable'' ELSE ''claimed'' END END,');
    END LOOP;
  END $do$`;
