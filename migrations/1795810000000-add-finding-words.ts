import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a search of findings reads, in a table of its own: a change of a status does not write it. docs/adr/0018 has the reasons. The
 * triggers of the next migration write it, so that no writer of findings can forget it.
 */
export class AddFindingWords1795810000000 implements MigrationInterface {
  name = 'AddFindingWords1795810000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of statements) await queryRunner.query(statement);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}

/** What separates the words of a description. Ranges instead of classes, which mean other characters in another locale. */
const BETWEEN_WORDS = String.raw`[\u0001-/:-@\[-\`{-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u2000-\u206f\u3000-\u303f\uff01-\uff0f]+`;

/** Texts of scripts that have no spaces: Chinese, Japanese, Thai and others. Their words are found anywhere in a text. */
const WITHOUT_SPACES = String.raw`[\u0e00-\u0eff\u1780-\u17ff\u3040-\ua4cf\uf900-\ufaff]+`;

/** How much of a description is searched. */
const MAX_TEXT = 20_000;

/** The rows of the table for the rows `n` of findings. */
export const WORDS_OF_FINDINGS = `SELECT n.organization_id, n.id, n.assignee_id,
    concat_ws(E'\\n', left(lower(n.title || E'\\n' || n.asset_value), 600), lower(n.check_id), lower(n.cve),
      lower(nullif(array_to_string(n.other_cves, E'\\n'), '')), 'cwe-' || n.cwe,
      lower(nullif(array_to_string(n.labels, E'\\n'), '')),
      (SELECT string_agg(run[1], E'\\n') FROM regexp_matches(left(n.md, ${MAX_TEXT}), '${WITHOUT_SPACES}', 'g') run)),
    finding_words(left(n.md, ${MAX_TEXT}))`;

const statements = [
  // searched: the lines in which a search finds any part of a word. words: the description, with one space before each word.
  `CREATE TABLE finding_words (
     organization_id  int NOT NULL,
     finding_id       int NOT NULL,
     assignee_id      int,
     searched         text NOT NULL,
     words            text NOT NULL,
     CONSTRAINT pk_finding_words PRIMARY KEY (organization_id, finding_id),
     CONSTRAINT fk_finding_words_finding FOREIGN KEY (finding_id, organization_id)
       REFERENCES findings (id, organization_id) ON DELETE CASCADE,
     CONSTRAINT fk_finding_words_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
   )`,

  // The same for what a person searches. Empty, or with one space before each word.
  `CREATE FUNCTION finding_words(words text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
     SELECT coalesce(rtrim(regexp_replace(' ' || lower(words), '${BETWEEN_WORDS}', ' ', 'g')), '') $$`,

  // All with the organization, so that those of others cost nothing: "1=abc", three characters from each one on; "1~word";
  // "1#4711", the id; "1@12", the assignee. Words are compared by their first 24 characters.
  `CREATE FUNCTION finding_tokens(organization_id int, finding_id int, assignee_id int, searched text, words text) RETURNS tsvector
   LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 10000 AS $$
   DECLARE
     prefix text := organization_id || '=';
     tokens text[] := ARRAY[organization_id || '#' || finding_id, organization_id || '@' || coalesce(assignee_id, 0)];
   BEGIN
     FOR position IN 1..length(searched) LOOP
       tokens[position + 2] := prefix || substr(searched, position, 3);
     END LOOP;
     RETURN array_to_tsvector(tokens || ARRAY(
       SELECT organization_id || '~' || left(word, 24) FROM string_to_table(ltrim(words), ' ') word));
   END $$`,
  `CREATE INDEX ix_finding_words_tokens ON finding_words
     USING gin (finding_tokens(organization_id, finding_id, assignee_id, searched, words)) WITH (gin_pending_list_limit = 512)`,
  // ANALYZE would make the tokens of its sample, and a search has the same plan for every word.
  `ALTER INDEX ix_finding_words_tokens ALTER COLUMN 1 SET STATISTICS 0`,

  // One row while findings from before the upgrade have no texts: they have ids up to this one.
  `CREATE TABLE finding_word_filling (
     only_row         boolean NOT NULL DEFAULT true,
     next_id          int NOT NULL,
     CONSTRAINT pk_finding_word_filling PRIMARY KEY (only_row),
     CONSTRAINT ck_finding_word_filling_only_row CHECK (only_row)
   )`,

  // The texts of the newest findings without them. False if there are none. The locks keep the findings from being deleted.
  `CREATE FUNCTION fill_finding_words(most int) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
   DECLARE
     first int;
     last int;
   BEGIN
     SELECT next_id INTO last FROM finding_word_filling FOR UPDATE;
     SELECT min(id) INTO first FROM (SELECT id FROM findings WHERE id <= last ORDER BY id DESC LIMIT most) batch;
     IF first IS NULL THEN
       DELETE FROM finding_word_filling;
       RETURN false;
     END IF;
     INSERT INTO finding_words (organization_id, finding_id, assignee_id, searched, words)
       ${WORDS_OF_FINDINGS} FROM (SELECT * FROM findings WHERE id BETWEEN first AND last FOR KEY SHARE) n
       ON CONFLICT DO NOTHING;
     UPDATE finding_word_filling SET next_id = first - 1;
     RETURN true;
   END $$`,
];
