import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Answers that were stored for repeated requests had the secrets of webhooks, which are shown once. */
export class ClearSecretsOfRepeats1796900500000 implements MigrationInterface {
  name = 'ClearSecretsOfRepeats1796900500000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      UPDATE idempotency_keys SET body = (body::jsonb || '{"secret": null}')::json WHERE body ->> 'secret' LIKE 'whsec\\_%'`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
