import { Injectable } from '@nestjs/common';
import { MAX_FOUND_COUNT, type Page } from '../../../../kernel/page';
import { Database } from '../../../../platform/database/database';
import { countUpTo } from '../../../../platform/database/list-order';
import { type Sql, sql } from '../../../../platform/database/sql';
import type { IdsOfPage } from './finding-orders';
import { type SearchTerm, tokenQuery } from './search-terms';

/** A search with its parsed terms, and what it found. */
export interface FindingSearch {
  readonly terms: readonly SearchTerm[];
  /** The matching ids. Null if there are too many, or if some findings have no search text yet. */
  readonly ids: readonly number[] | null;
  /** Whether `ids` has only what the page needs. */
  readonly isPartial: boolean;
  /** Some of the matches, including findings that the list leaves out: enough to count most lists. */
  readonly some: readonly number[];
  readonly isFilling: boolean;
}

/** The matches among the first findings of a list. */
export interface SearchSample {
  readonly ids: readonly number[];
  /** Whether these are all findings of the list. */
  readonly isWhole: boolean;
}

/** The words of a search in the form that the database compares, and the organization of the findings. */
export interface FoldedSearch {
  /** Null if the caller may not see the organization. */
  readonly organizationId: number | null;
  readonly isFilling: boolean;
  readonly texts: readonly string[];
  readonly phrases: readonly string[];
}

/** With more matches, reading the list in its order is faster: in 200,000 findings, one of forty matches then. */
export const MAX_FOUND = 5_000;

@Injectable()
export class FindingWordsRepository {
  constructor(private readonly database: Database) {}

  /** `owner` selects the organization. */
  async fold(owner: Sql, terms: readonly string[]): Promise<FoldedSearch | undefined> {
    return this.database.row<FoldedSearch>(sql`
      SELECT (${owner}) AS "organizationId", EXISTS (SELECT 1 FROM finding_word_filling) AS "isFilling",
        ARRAY(SELECT lower(term) FROM unnest(${terms}::text[]) WITH ORDINALITY given (term, place) ORDER BY place) AS texts,
        ARRAY(SELECT finding_words(term) FROM unnest(${terms}::text[]) WITH ORDINALITY given (term, place) ORDER BY place) AS phrases`);
  }

  /** Compares the first findings of a list, from the position of the page on. */
  async sample(
    organizationId: number,
    { id, list, order }: IdsOfPage,
    { after, before }: Page,
    { terms, isFilling }: Pick<FindingSearch, 'terms' | 'isFilling'>,
    size: number,
  ): Promise<SearchSample> {
    const first = order.page({ page: 1, perPage: size - 1, ...(after && { after }), ...(before && { before }) });
    const rows = isFilling
      ? sql`first JOIN findings f ON f.id = first.id AND f.organization_id = ${organizationId}`
      : sql`(SELECT first.id, ${organizationId}::int AS organization_id FROM first) f`;
    const row = await this.database.row<{ seen: number; ids: number[] }>(sql`
      WITH first AS MATERIALIZED (SELECT ${id} AS id ${list}${first})
      SELECT count(*)::int AS seen, coalesce(array_agg(f.id) FILTER (WHERE ${isFound({ terms, ids: null, isFilling })}), '{}') AS ids FROM ${rows}`);
    return { ids: row?.ids ?? [], isWhole: row === undefined || row.seen < size };
  }

  /** The ids of matching findings. Returns only some of them if there are more than a page is chosen from. */
  async findIds(
    organizationId: number,
    terms: readonly SearchTerm[],
    most: number,
  ): Promise<{ ids: number[]; isWhole: boolean }> {
    const query = tokenQuery(organizationId, terms);
    if (query === null) return { ids: [], isWhole: false };
    // `+ 0` keeps the planner on the index of the tokens.
    const rows = await this.database.rows<{ id: number }>(sql`
      SELECT t.finding_id AS id FROM finding_words t
      WHERE finding_tokens(t.organization_id, t.finding_id, t.assignee_id, t.searched, t.words) @@ ${query}::tsquery
        AND t.organization_id + 0 = ${organizationId} AND ${matches(terms)}
      LIMIT ${most + 1}`);
    return { ids: rows.map(({ id }) => id), isWhole: rows.length <= most };
  }

  /** Counts the matches in a list, up to `MAX_FOUND_COUNT + 1`. */
  countFound(list: Sql): Promise<number> {
    return countUpTo(this.database, list, MAX_FOUND_COUNT);
  }

  /** The same of all findings of an organization, whose texts it reads without the findings. */
  countOfVisible(organizationId: number, terms: readonly SearchTerm[]): Promise<number> {
    return this.countFound(sql`FROM finding_words t WHERE t.organization_id = ${organizationId} AND ${matches(terms)}
      AND NOT EXISTS (SELECT 1 FROM findings f
        WHERE f.id = t.finding_id AND f.organization_id = t.organization_id AND f.merged_into IS NOT NULL)`);
  }

  /** Gives texts to at most so many findings from before an upgrade. Returns false if all have theirs. */
  async fill(most: number): Promise<boolean> {
    const row = await this.database.row<{ continues: boolean }>(
      sql`SELECT fill_finding_words(${most}) AS continues WHERE EXISTS (SELECT 1 FROM finding_word_filling)`,
    );
    return row?.continues ?? false;
  }
}

/** The condition that a row `f` of findings matches. */
export function isFound({ terms, ids, isFilling }: Omit<FindingSearch, 'isPartial' | 'some'>): Sql {
  if (ids !== null) return sql`f.id = ANY(${ids}::int[])`;
  const inTexts = sql`(SELECT ${matches(terms)} FROM finding_words t WHERE t.finding_id = f.id AND t.organization_id = f.organization_id)`;
  return isFilling ? sql`coalesce(${inTexts}, ${matchesWithoutTexts(terms)})` : inTexts;
}

/** Arrays keep the text of the statement the same for any number of terms. */
const unnested = (terms: readonly SearchTerm[]): Sql =>
  sql`unnest(${terms.map(({ text }) => text)}::text[], ${terms.map(({ phrase }) => phrase)}::text[], ${terms.map(({ id }) => id)}::int[],
    ${terms.map(({ memberIds }) => `{${memberIds.join(',')}}`)}::text[], ${terms.map(({ formerlyOf }) => formerlyOf)}::text[])
    term (text, phrase, id, members, formerly_of)`;

/** The condition that a row `t` of search texts matches all terms. */
const matches = (terms: readonly SearchTerm[]): Sql => sql`(
  SELECT bool_and(strpos(t.searched, term.text) > 0 OR (term.phrase <> '' AND strpos(t.words, term.phrase) > 0) OR t.finding_id = term.id
    OR (term.formerly_of <> '' AND strpos(t.searched, term.formerly_of) > 0) OR (term.members <> '{}' AND t.assignee_id = ANY(term.members::int[])))
  FROM ${unnested(terms)})`;

/**
 * The same for a finding without a search text, from before an upgrade. It reads the whole row, and finds any part of the words
 * of a description.
 */
const matchesWithoutTexts = (terms: readonly SearchTerm[]): Sql => sql`(
  SELECT bool_and(f.id = term.id OR f.assignee_id = ANY(term.members::int[]) OR strpos(f.searched, term.text) > 0 OR f.check_id = term.formerly_of
    OR strpos(lower(concat_ws(E'\\n', f.check_id, f.cve, array_to_string(f.other_cves, E'\\n'), 'cwe-' || f.cwe,
      array_to_string(f.labels, E'\\n'), f.md)), term.text) > 0)
  FROM ${unnested(terms)})`;
