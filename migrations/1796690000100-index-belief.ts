import type { MigrationInterface, QueryRunner } from 'typeorm';

const RANK = `(CASE verification WHEN 'confirmed' THEN 3 WHEN 'refuted' THEN 0 ELSE CASE WHEN is_supported THEN 2 ELSE 1 END END)`;

const SORTED = 'status, severity, priority, due_order, verification, is_supported';

/** Each has the columns of the order by priority, so that matches are sorted without fetching them. By what they replace. */
const indexes: readonly (readonly [name: string, on: string, replaced: string | null])[] = [
  [
    'ix_findings_listed',
    `findings (organization_id, id DESC) INCLUDE (searched, assignee_id, ${SORTED}) WHERE merged_into IS NULL`,
    'ix_findings_organization',
  ],
  [
    'ix_findings_by_priority',
    `findings (organization_id, (-priority) DESC, ${RANK} DESC, id DESC)
       INCLUDE (priority, verification, is_supported) WHERE merged_into IS NULL`,
    'ix_findings_organization_priority',
  ],
  [
    'ix_findings_tested',
    `findings (organization_id, verification, id DESC)
       INCLUDE (status, severity, priority, due_order, is_supported) WHERE verification <> 'untested' AND merged_into IS NULL`,
    'ix_findings_verification',
  ],
  [
    'ix_findings_by_epss',
    `findings (organization_id, epss, id) INCLUDE (${SORTED}) WHERE epss IS NOT NULL AND merged_into IS NULL`,
    'ix_findings_epss',
  ],
  [
    'ix_findings_claimed',
    `findings (organization_id, id DESC) INCLUDE (${SORTED})
       WHERE verification IN ('untested', 'inconclusive') AND verification_reason IS NOT NULL AND merged_into IS NULL`,
    null,
  ],
  [
    'ix_findings_untestable',
    `findings (organization_id, id DESC) INCLUDE (${SORTED})
       WHERE verification IN ('untested', 'inconclusive') AND verification_reason IS NULL AND merged_into IS NULL`,
    null,
  ],
  [
    'ix_event_findings_by_priority',
    'event_findings (event_id, (-priority) DESC, belief_rank DESC, finding_id DESC)',
    'ix_event_findings_priority',
  ],
];

/** Lists by priority show what is proved first, and lists of claims are read alone. */
export class IndexBelief1796690000100 implements MigrationInterface {
  name = 'IndexBelief1796690000100';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, on, replaced] of indexes) {
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await queryRunner.query(`CREATE INDEX CONCURRENTLY ${name} ON ${on}`);
      if (replaced !== null) await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${replaced}`);
    }
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
