import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was found and fixed on each day of events with very many findings. docs/adr/0050 has the reasons. */
export class KeepDaysOfEvents1797000300000 implements MigrationInterface {
  name = 'KeepDaysOfEvents1797000300000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // since: the start of the event, from which the days are counted.
    await queryRunner.query(`CREATE TABLE event_days (
     event_id         int NOT NULL,
     organization_id  int NOT NULL,
     since            timestamptz(3) NOT NULL,
     computed         timestamptz(3) NOT NULL,
     days             jsonb NOT NULL,
     CONSTRAINT pk_event_days PRIMARY KEY (event_id, organization_id),
     CONSTRAINT fk_event_days_event FOREIGN KEY (event_id, organization_id)
       REFERENCES events (id, organization_id) ON DELETE CASCADE,
     CONSTRAINT fk_event_days_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
   )`);
    await queryRunner.query('CREATE INDEX ix_event_days_organization ON event_days (organization_id)');
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
