import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * organizations.mcp_write: whether the MCP server lists tools that change something, off as before. finding_history.by_agent:
 * a comment that an agent wrote.
 */
export class AddAgentWrites1798600000000 implements MigrationInterface {
  name = 'AddAgentWrites1798600000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE organizations ADD COLUMN mcp_write boolean NOT NULL DEFAULT false`);
    await queryRunner.query(`ALTER TABLE finding_history ADD COLUMN by_agent boolean NOT NULL DEFAULT false`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
