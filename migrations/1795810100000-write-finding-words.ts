import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runEachWhenFree } from './1795780100000-write-feed';
import { WORDS_OF_FINDINGS } from './1795810000000-add-finding-words';

/**
 * The triggers that write the texts of findings, each with its own short lock. They have waited for all writers before them, so the
 * findings without texts have ids up to the highest one afterwards. All may run again after an attempt that was interrupted.
 */
export class WriteFindingWords1795810100000 implements MigrationInterface {
  name = 'WriteFindingWords1795810100000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await runEachWhenFree(queryRunner, statements);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}

const SOURCES = ['title', 'asset_value', 'check_id', 'cve', 'other_cves', 'cwe', 'labels', 'md', 'assignee_id'];

/** Runs as the owner, because the service gets its rights on the new table only after the migration. */
const triggerFunction = (name: string, source: string, declarations = ''): string =>
  `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
   ${declarations}
   BEGIN
     INSERT INTO finding_words (organization_id, finding_id, assignee_id, searched, words)
       ${WORDS_OF_FINDINGS} ${source};
     RETURN NULL;
   END $$`;

const statements = [
  triggerFunction('finding_words_added', 'FROM added n'),
  `CREATE OR REPLACE TRIGGER tr_findings_words_added AFTER INSERT ON findings
   REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION finding_words_added()`,
  triggerFunction(
    'finding_words_changed',
    `ON CONFLICT ON CONSTRAINT pk_finding_words DO UPDATE
       SET assignee_id = excluded.assignee_id, searched = excluded.searched, words = excluded.words`,
    'DECLARE n findings := NEW;',
  ),
  // Statements that set none of these columns, such as changes of a status, do not even evaluate the condition.
  `CREATE OR REPLACE TRIGGER tr_findings_words_changed AFTER UPDATE OF ${SOURCES.join(', ')} ON findings FOR EACH ROW
   WHEN (${SOURCES.map((column) => `NEW.${column} IS DISTINCT FROM OLD.${column}`).join(' OR ')})
   EXECUTE FUNCTION finding_words_changed()`,
  `INSERT INTO finding_word_filling (next_id) SELECT max(id) FROM findings HAVING max(id) IS NOT NULL ON CONFLICT DO NOTHING`,
];
