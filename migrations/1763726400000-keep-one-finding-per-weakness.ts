import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Links findings to every event in which they were seen, and merges those that were two because one job had an event and
 * another had none. The oldest id stays. See docs/adr/0019-one-finding-per-weakness.md.
 */
export class KeepOneFindingPerWeakness1763726400000 implements MigrationInterface {
  name = 'KeepOneFindingPerWeakness1763726400000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of statements) await queryRunner.query(statement);
  }

  /** Forward only: a mistake is fixed by the next migration. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}

/** Every finding that there is more than once, with the id that stays: its own for the oldest. */
const findDuplicates = [
  // A process of the version before may still be running.
  'LOCK TABLE findings IN ACCESS EXCLUSIVE MODE',
  `CREATE TEMPORARY TABLE merging ON COMMIT DROP AS
   SELECT f.id, twice.kept_id
   FROM (SELECT organization_id, fingerprint, asset_value, min(id) AS kept_id FROM findings
         GROUP BY organization_id, fingerprint, asset_value HAVING count(*) > 1) twice
   JOIN findings f USING (organization_id, fingerprint, asset_value)`,
  'ANALYZE merging',
  `CREATE TEMPORARY TABLE recounted ON COMMIT DROP AS
   SELECT DISTINCT f.asset_id AS id FROM merging m JOIN findings f USING (id) WHERE f.asset_id IS NOT NULL`,
];

const linkToEvents = [
  `CREATE TABLE event_findings (
     event_id         int NOT NULL,
     finding_id       int NOT NULL,
     organization_id  int NOT NULL,
     first_seen       timestamptz(3) NOT NULL DEFAULT now(),
     last_seen        timestamptz(3) NOT NULL DEFAULT now(),
     CONSTRAINT pk_event_findings PRIMARY KEY (event_id, finding_id),
     CONSTRAINT fk_event_findings_event FOREIGN KEY (event_id) REFERENCES events (id) ON DELETE CASCADE,
     CONSTRAINT fk_event_findings_finding FOREIGN KEY (finding_id) REFERENCES findings (id) ON DELETE CASCADE,
     CONSTRAINT fk_event_findings_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
   )`,
  `INSERT INTO event_findings (event_id, finding_id, organization_id, first_seen, last_seen)
   SELECT f.event_id, coalesce(m.kept_id, f.id), f.organization_id, min(f.created), max(f.last_seen)
   FROM findings f LEFT JOIN merging m USING (id) WHERE f.event_id IS NOT NULL GROUP BY 1, 2, 3
   ORDER BY 1, 2`,
  'CREATE INDEX ix_event_findings_finding ON event_findings (finding_id)',
  'CREATE INDEX ix_event_findings_organization ON event_findings (organization_id)',
  // Pages of an event come from the primary key of the links now; this one is for the reference alone.
  'DROP INDEX ix_findings_event',
  'CREATE INDEX ix_findings_event ON findings (event_id) WHERE event_id IS NOT NULL',
  'ANALYZE event_findings',
];

/**
 * The lowest status wins: open over resolved, and a finding stays resolved only if all were. If one was resolved and
 * another set aside, they contradict each other, and the finding is open again.
 */
const decideStatus = [
  `CREATE TEMPORARY TABLE decided ON COMMIT DROP AS
   SELECT DISTINCT ON (m.kept_id) m.kept_id, kept.status AS kept_status, f.id AS from_id, f.accepted_until,
     CASE WHEN is_contradiction THEN 1 ELSE f.status END AS status,
     CASE WHEN f.status NOT IN (6, kept.status) OR is_contradiction THEN kept.status ELSE f.previous_status END
       AS previous_status
   FROM merging m JOIN findings f ON f.id = m.id JOIN findings kept ON kept.id = m.kept_id
   JOIN (SELECT kept_id, min(status) = 5 AND max(status) > 5 AS is_contradiction
         FROM merging JOIN findings USING (id) GROUP BY kept_id) statuses ON statuses.kept_id = m.kept_id
   ORDER BY m.kept_id, f.status, f.accepted_until, f.id`,
];

/** What was written first stays, as severe as the severest; what people wrote of the others is put below it. */
const mergeFindings = [
  `WITH members AS (SELECT m.kept_id, f.* FROM merging m JOIN findings f USING (id)),
     sums AS (
       SELECT kept_id, sum(times_seen)::int AS times_seen, max(last_seen) AS last_seen, min(created) AS created,
         min(priority) AS priority, (array_agg(asset_id ORDER BY id) FILTER (WHERE asset_id IS NOT NULL))[1] AS asset_id,
         (array_agg(cve ORDER BY id) FILTER (WHERE cve IS NOT NULL))[1] AS cve,
         (array_agg(md ORDER BY id) FILTER (WHERE md IS NOT NULL))[1] AS md,
         (array_agg(html ORDER BY id) FILTER (WHERE md IS NOT NULL))[1] AS html
       FROM members GROUP BY kept_id),
     severest AS (
       SELECT DISTINCT ON (kept_id) kept_id, severity, score, requested_score, cvss_vector FROM members
       ORDER BY kept_id, severity DESC, id),
     latest AS (
       SELECT DISTINCT ON (kept_id) kept_id, recipe FROM members WHERE recipe IS NOT NULL
       ORDER BY kept_id, last_seen DESC, id),
     texts AS (
       SELECT kept_id, string_agg(md, E'\\n\\n' ORDER BY id) AS md, string_agg(html, '' ORDER BY id) AS html
       FROM (SELECT DISTINCT ON (kept_id, md) kept_id, md, html, id FROM members
             WHERE md IS NOT NULL AND (id = kept_id OR EXISTS (
               SELECT 1 FROM finding_history h
               WHERE h.finding_id = members.id AND h.previous_status IS NULL AND h.actor_type <> 'system'))
             ORDER BY kept_id, md, id) written
       GROUP BY kept_id)
   UPDATE findings f SET status = decided.status, previous_status = decided.previous_status,
     accepted_until = CASE decided.status WHEN 6 THEN decided.accepted_until END,
     times_seen = sums.times_seen, last_seen = sums.last_seen, created = sums.created, priority = sums.priority,
     asset_id = coalesce(f.asset_id, sums.asset_id), cve = sums.cve, severity = severest.severity, score = severest.score,
     requested_score = severest.requested_score, cvss_vector = severest.cvss_vector,
     recipe = coalesce(latest.recipe, f.recipe), md = coalesce(texts.md, sums.md), html = coalesce(texts.html, sums.html)
   FROM decided JOIN sums USING (kept_id) JOIN severest USING (kept_id)
     LEFT JOIN latest USING (kept_id) LEFT JOIN texts USING (kept_id)
   WHERE f.id = decided.kept_id`,
];

const mergeHistory = [
  `INSERT INTO finding_history (organization_id, finding_id, status, previous_status, actor_type, actor_id, comment)
   SELECT f.organization_id, f.id, d.status, d.kept_status, 'system', 'system',
     left(concat_ws(' ', format('Merged with %s: the same weakness on the same asset.', others.ids), last.comment), 2000)
   FROM decided d JOIN findings f ON f.id = d.kept_id
   JOIN (SELECT kept_id, string_agg('finding ' || id, ', ' ORDER BY id) AS ids FROM merging WHERE id <> kept_id
         GROUP BY kept_id) others ON others.kept_id = d.kept_id
   LEFT JOIN LATERAL (
     SELECT h.comment FROM finding_history h WHERE h.finding_id = d.from_id AND h.status = d.status
     ORDER BY h.id DESC LIMIT 1) last ON true
   WHERE d.status <> d.kept_status`,
  // The ids of entries are in the order of time, whatever finding they belong to.
  `UPDATE finding_history h SET finding_id = m.kept_id,
     comment = left(concat_ws(' ', format('Of finding %s, which was merged into this one.', m.id), h.comment), 2000)
   FROM merging m WHERE h.finding_id = m.id AND m.id <> m.kept_id`,
  // In the log too, where the history of what is gone would end without a word. Ids are UUIDv7.
  `INSERT INTO audit_logs (id, timestamp, organization_id, actor_type, actor_id, operation, operation_category,
     resource_type, resource_id, status, metadata)
   SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) PLACING
       substring(int8send((extract(epoch FROM now()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid,
     now(), f.organization_id, 'system', 'system', 'finding.merge', 'findings', 'finding', f.id::text, 'success',
     jsonb_build_object('into', m.kept_id, 'from', f.status, 'to', d.status)
   FROM merging m JOIN findings f USING (id) JOIN decided d USING (kept_id) WHERE m.id <> m.kept_id`,
];

const mergeTests = [
  // One unfinished retest a finding: the one that runs, else the oldest.
  `WITH canceled AS (
     UPDATE retests SET status = 'canceled', finished = now(),
       reason = 'Its finding was merged with another one, whose retest goes on.'
     WHERE id IN (
       SELECT id FROM (
         SELECT r.id, row_number() OVER (PARTITION BY m.kept_id ORDER BY r.status = 'in_progress' DESC, r.id) AS place
         FROM retests r JOIN merging m ON m.id = r.finding_id WHERE r.status IN ('pending', 'in_progress')) unfinished
       WHERE place > 1)
     RETURNING uuid)
   UPDATE work w SET state = 'canceled', lease_until = NULL, finished = now() FROM canceled
   WHERE w.kind = 'retest.run' AND w.reference = canceled.uuid::text AND w.state IN ('waiting', 'running')`,
  'UPDATE retests r SET finding_id = m.kept_id FROM merging m WHERE r.finding_id = m.id AND m.id <> m.kept_id',
  `INSERT INTO finding_baselines (finding_id, organization_id, recipe, baseline, taken)
   SELECT DISTINCT ON (m.kept_id) m.kept_id, b.organization_id, b.recipe, b.baseline, b.taken
   FROM merging m JOIN finding_baselines b ON b.finding_id = m.id
   JOIN findings kept ON kept.id = m.kept_id AND kept.recipe = b.recipe
   ORDER BY m.kept_id, b.taken DESC
   ON CONFLICT (finding_id) DO UPDATE SET recipe = excluded.recipe, baseline = excluded.baseline, taken = excluded.taken`,
  // The first look at a check names its finding before a space.
  `UPDATE work w SET reference = looks.reference,
     state = CASE place WHEN 1 THEN state ELSE 'canceled' END,
     lease_until = CASE place WHEN 1 THEN lease_until END, finished = CASE place WHEN 1 THEN finished ELSE now() END
   FROM (SELECT id, reference, row_number() OVER (PARTITION BY reference ORDER BY finding_id) AS place
         FROM (SELECT w.id, m.kept_id || substr(w.reference, strpos(w.reference, ' ')) AS reference, m.id AS finding_id
               FROM work w JOIN merging m ON m.id::text = split_part(w.reference, ' ', 1)
               WHERE w.kind = 'finding.baseline' AND w.state IN ('waiting', 'running')) renamed) looks
   WHERE w.id = looks.id`,
  `INSERT INTO job_findings (job_id, finding_id, organization_id, outcome, severity)
   SELECT j.job_id, m.kept_id, j.organization_id, max(j.outcome), max(j.severity)
   FROM job_findings j JOIN merging m ON m.id = j.finding_id GROUP BY 1, 2, 3
   ON CONFLICT (job_id, finding_id) DO UPDATE SET outcome = excluded.outcome, severity = excluded.severity`,
];

const removeDuplicates = [
  'DELETE FROM findings f USING merging m WHERE f.id = m.id AND m.id <> m.kept_id',
  `INSERT INTO asset_totals (asset_id, organization_id, findings, cosmic, critical, high, medium, low)
   SELECT a.id, a.organization_id, count(f.id), count(*) FILTER (WHERE f.severity = 6 AND f.status <= 4),
     count(*) FILTER (WHERE f.severity = 5 AND f.status <= 4), count(*) FILTER (WHERE f.severity = 4 AND f.status <= 4),
     count(*) FILTER (WHERE f.severity = 3 AND f.status <= 4), count(*) FILTER (WHERE f.severity = 2 AND f.status <= 4)
   FROM recounted JOIN assets a USING (id) LEFT JOIN findings f ON f.asset_id = a.id GROUP BY a.id
   ON CONFLICT (asset_id) DO UPDATE SET findings = excluded.findings, cosmic = excluded.cosmic,
     critical = excluded.critical, high = excluded.high, medium = excluded.medium, low = excluded.low`,
  // What makes it the same finding is in columns that are there anyway: no hash of them, and no table written anew for it.
  'ALTER TABLE findings DROP COLUMN identity',
  'ALTER TABLE findings ADD CONSTRAINT uq_findings_identity UNIQUE (organization_id, fingerprint, asset_value)',
];

const statements = [
  ...findDuplicates,
  ...linkToEvents,
  ...decideStatus,
  ...mergeFindings,
  ...mergeHistory,
  ...mergeTests,
  ...removeDuplicates,
];
