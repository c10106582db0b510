import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../../platform/api/caller';
import { Database } from '../../../../platform/database/database';
import { forEachRow, raw, type Sql, sql } from '../../../../platform/database/sql';
import type { CheckDefinition } from '../../domain/check-definition';
import { NOT_REQUESTED } from '../../domain/verification';
import type { FindingSighting } from '../../data/finding-sighting.entity';
import type { FindingRow } from '../../data/finding.entity';

/** The sightings of an import that carry the same template, or whose requests showed the same rule. */
export interface CarrierGroup {
  readonly kind: 'template' | 'replay';
  /** The MD5 of the template, or the digest of the scanner and its rule. In hex. */
  readonly digest: string;
  /** The template itself, so that a different one with the same MD5 is not part of the group. */
  readonly template: string | null;
  /** Leaves out replays of results that carry one of these templates, because a template is more precise. */
  readonly exceptTemplates: readonly string[];
}

/** A group with its most severe sighting. */
export type CarriedCheck = Pick<
  FindingSighting,
  'scanner' | 'ruleId' | 'title' | 'severity' | 'location' | 'template' | 'replay'
> & { readonly digest: string; readonly findings: number };

/** A sighting that carries a check, of an open finding without a check. */
export type Carrier = Pick<FindingSighting, 'id' | 'findingId' | 'location' | 'replay' | 'scanner' | 'ruleId'>;

/** A request from a scanner's file. */
export interface ReplayedRequest {
  readonly method: string;
  readonly url: string;
}

export interface CheckToBind {
  readonly sightingId: string;
  readonly findingId: number;
  readonly checkId: string;
  readonly checkDefinition: CheckDefinition;
}

const openWithoutCheck = raw('f.check_id IS NULL AND f.status BETWEEN 1 AND 4 AND f.merged_into IS NULL');
const finding = raw('SELECT check_id, status, merged_into, organization_id FROM findings WHERE id = s.finding_id');
const carriers = sql`finding_sightings s ${forEachRow(finding, 'f', raw('f.organization_id = s.organization_id'))}`;

/** Exactly as the indexes of carried checks have it. */
const inGroup = ({ kind, digest, template, exceptTemplates }: CarrierGroup): Sql =>
  kind === 'template'
    ? sql`s.template IS NOT NULL AND md5(s.template) = ${digest} AND s.template = ${template}`
    : sql`s.replay IS NOT NULL AND s.source = decode(${digest}, 'hex') AND ${notOf(exceptTemplates)}`;

const notOf = (templates: readonly string[]): Sql =>
  sql`(s.template IS NULL OR md5(s.template) <> ALL(${templates}::text[]))`;

/** The checks that scanners' files carry. They run only after a person has approved them. */
@Injectable()
export class ProposedChecksRepository {
  constructor(private readonly database: Database) {}

  /** The templates that sightings of an import carry, the most severe first. */
  async listTemplates(importId: number, limit: number): Promise<CarriedCheck[]> {
    return this.database.rows<CarriedCheck>(sql`
      SELECT g.digest, g.findings, s.scanner, s.rule_id AS "ruleId", s.title, s.severity, s.location, s.template, NULL AS replay
      FROM (
        SELECT md5(s.template) AS digest, count(DISTINCT s.finding_id)::int AS findings, max(s.severity) AS severity,
          (array_agg(s.id ORDER BY s.severity DESC, s.id))[1] AS id
        FROM ${carriers}
        WHERE s.import_id = ${importId} AND s.template IS NOT NULL AND ${openWithoutCheck}
        GROUP BY 1 ORDER BY severity DESC, id LIMIT ${limit}) g
      JOIN finding_sightings s ON s.id = g.id ORDER BY g.severity DESC, g.id`);
  }

  /** The rules with replays among the sightings of an import, the most severe first. */
  async listReplays(importId: number, exceptTemplates: readonly string[], limit: number): Promise<CarriedCheck[]> {
    return this.database.rows<CarriedCheck>(sql`
      SELECT g.digest, g.findings, s.scanner, s.rule_id AS "ruleId", s.title, s.severity, s.location, NULL AS template, s.replay
      FROM (
        SELECT encode(s.source, 'hex') AS digest, count(DISTINCT s.finding_id)::int AS findings, max(s.severity) AS severity,
          (array_agg(s.id ORDER BY s.severity DESC, s.id))[1] AS id
        FROM ${carriers}
        WHERE s.import_id = ${importId} AND s.replay IS NOT NULL AND ${openWithoutCheck} AND ${notOf(exceptTemplates)}
        GROUP BY s.source ORDER BY severity DESC, id LIMIT ${limit}) g
      JOIN finding_sightings s ON s.id = g.id ORDER BY g.severity DESC, g.id`);
  }

  /** The next sightings of a group after an id. */
  listCarriers(importId: number, group: CarrierGroup, after: string, limit: number): Promise<Carrier[]> {
    return this.database.rows<Carrier>(sql`
      SELECT s.id, s.finding_id AS "findingId", s.location, s.replay, s.scanner, s.rule_id AS "ruleId" FROM ${carriers}
      WHERE s.import_id = ${importId} AND ${inGroup(group)} AND ${openWithoutCheck} AND s.id > ${after}
      ORDER BY s.id LIMIT ${limit}`);
  }

  /** Leaves out requests whose URL may contain a password: these are not sent. */
  async replayedRequests(
    importId: number,
    group: CarrierGroup,
    limit: number,
  ): Promise<{ readonly count: number; readonly first: readonly ReplayedRequest[] }> {
    const rows = await this.database.rows<ReplayedRequest & { readonly count: number }>(sql`
      SELECT r.method, r.url, count(*) OVER ()::int AS count FROM (
        SELECT DISTINCT s.replay->>'method' AS method, s.replay->>'url' AS url FROM ${carriers}
        WHERE s.import_id = ${importId} AND ${inGroup(group)} AND ${openWithoutCheck}
          AND s.replay->>'url' !~ '^[^/]*//[^/?#]*@') r
      ORDER BY r.url, r.method LIMIT ${limit}`);
    return { count: rows[0]?.count ?? 0, first: rows.map(({ method, url }) => ({ method, url })) };
  }

  /** The next sightings of a scanner after an id. There is no index with this order. */
  listOfScanner(importId: number, scanner: string, after: string, limit: number): Promise<Carrier[]> {
    return this.database.rows<Carrier>(sql`
      SELECT s.id, s.finding_id AS "findingId", s.location, NULL AS replay, s.scanner, s.rule_id AS "ruleId" FROM ${carriers}
      WHERE s.import_id = ${importId} AND s.scanner = ${scanner} AND ${openWithoutCheck} AND s.id > ${after}
      ORDER BY s.id LIMIT ${limit}`);
  }

  /** The digests of what the last sightings of a finding carry, by import. */
  listOfFinding(
    visibleFindingId: number,
    limit: number,
  ): Promise<{ readonly importId: number; readonly template: string | null; readonly replay: string | null }[]> {
    return this.database.rows(sql`
      SELECT DISTINCT s.import_id AS "importId", md5(s.template) AS template,
        CASE WHEN s.replay IS NOT NULL THEN encode(s.source, 'hex') END AS replay
      FROM (SELECT * FROM finding_sightings WHERE finding_id = ${visibleFindingId} ORDER BY id DESC LIMIT ${limit}) s
      WHERE s.import_id IS NOT NULL AND (s.template IS NOT NULL OR s.replay IS NOT NULL)`);
  }

  /**
   * Binds checks to findings that have none. With a comment, it also adds a history entry by the actor and links the sighting to
   * it, so that undoing the import does not count it as a change.
   */
  async bind(
    organizationId: number,
    checks: readonly CheckToBind[],
    entry: { readonly actor: Actor; readonly comment: string } | null,
  ): Promise<number[]> {
    const bound = await this.database.rows<Pick<FindingRow, 'id'>>(sql`
      WITH wanted AS (
        SELECT DISTINCT ON ("findingId") * FROM jsonb_to_recordset(${JSON.stringify(checks)}::jsonb)
          AS r ("sightingId" bigint, "findingId" int, "checkId" text, "checkDefinition" jsonb) ORDER BY "findingId", "sightingId"),
      locked AS (
        SELECT f.id FROM findings f
        WHERE f.organization_id = ${organizationId} AND f.id IN (SELECT "findingId" FROM wanted) AND ${openWithoutCheck}
        ORDER BY f.id FOR NO KEY UPDATE)
      UPDATE findings f SET check_id = w."checkId", check_definition = w."checkDefinition", allow_unsafe = false,
        verification_reason = CASE f.verification WHEN 'untested' THEN ${NOT_REQUESTED} ELSE f.verification_reason END
      FROM wanted w
      WHERE f.id = w."findingId" AND f.organization_id = ${organizationId} AND f.id IN (SELECT id FROM locked)
        AND f.check_id IS NULL
      RETURNING f.id`);
    const ids = bound.map(({ id }) => id);
    if (entry !== null && ids.length > 0)
      await this.addEntries(
        organizationId,
        checks.filter(({ findingId }) => ids.includes(findingId)),
        entry,
      );
    return ids;
  }

  private async addEntries(
    organizationId: number,
    checks: readonly CheckToBind[],
    { actor, comment }: { readonly actor: Actor; readonly comment: string },
  ): Promise<void> {
    const ids = checks.map(({ findingId }) => findingId);
    await this.database.change(sql`
      WITH entries AS (
        INSERT INTO finding_history AS h (organization_id, finding_id, status, previous_status, actor_type, actor_id, comment)
        SELECT f.organization_id, f.id, f.status, f.status, ${actor.type}, ${actor.id}, ${comment} FROM findings f
        WHERE f.organization_id = ${organizationId} AND f.id = ANY(${ids}::int[]) ORDER BY f.id
        RETURNING h.id, h.finding_id)
      UPDATE finding_sightings s SET bound_history_id = e.id FROM entries e
      WHERE s.finding_id = e.finding_id AND s.id = ANY(${checks.map(({ sightingId }) => sightingId)}::bigint[])`);
  }
}
