import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The same tokens as before, in half the time: the words of a text become tokens by replacing spaces, without a query for each text.
 * The index stays valid because no token changes.
 */
export class MakeTokensWithoutAQuery1798840000000 implements MigrationInterface {
  name = 'MakeTokensWithoutAQuery1798840000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(String.raw`CREATE OR REPLACE FUNCTION
      finding_tokens(organization_id int, finding_id int, assignee_id int, searched text, words text) RETURNS tsvector
      LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 10000 AS $$
      DECLARE
        prefix text := organization_id || '=';
        tokens text[] := ARRAY[organization_id || '#' || finding_id, organization_id || '@' || coalesce(assignee_id, 0)];
        short  text := ltrim(words);
      BEGIN
        FOR position IN 1..length(searched) LOOP
          tokens[position + 2] := prefix || substr(searched, position, 3);
        END LOOP;
        IF short ~ '[^ ]{25}' THEN short := regexp_replace(short, '([^ ]{24})[^ ]+', '\1', 'g'); END IF;
        prefix := organization_id || '~';
        RETURN array_to_tsvector(tokens || CASE short WHEN '' THEN '{}'
          ELSE string_to_array(prefix || replace(short, ' ', ' ' || prefix), ' ') END);
      END $$`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
