import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A table of its own, so that no read of events reads the picture. events.picture has the path of the picture in the API. */
export class AddEventPictures1795700100000 implements MigrationInterface {
  name = 'AddEventPictures1795700100000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE event_pictures (
      event_id         int NOT NULL,
      organization_id  int NOT NULL,
      media_type       text NOT NULL,
      width            int NOT NULL,
      height           int NOT NULL,
      sha256           bytea NOT NULL,
      content          bytea NOT NULL,
      CONSTRAINT pk_event_pictures PRIMARY KEY (event_id, organization_id),
      CONSTRAINT fk_event_pictures_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
      CONSTRAINT fk_event_pictures_event FOREIGN KEY (event_id, organization_id)
        REFERENCES events (id, organization_id) ON DELETE CASCADE,
      CONSTRAINT ck_event_pictures_media_type CHECK (media_type IN ('image/png', 'image/jpeg')),
      CONSTRAINT ck_event_pictures_size CHECK (octet_length(content) <= 262144)
    )`);
    await queryRunner.query('CREATE INDEX ix_event_pictures_organization ON event_pictures (organization_id)');
    for (const [operation, transition] of TRIGGERS) {
      await queryRunner.query(`CREATE TRIGGER tr_event_pictures_stored_${operation.toLowerCase()} AFTER ${operation} ON event_pictures
        REFERENCING ${transition} FOR EACH STATEMENT EXECUTE FUNCTION stored_rows_count()`);
    }
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}

const TRIGGERS = [
  ['INSERT', 'NEW TABLE AS added'],
  ['DELETE', 'OLD TABLE AS removed'],
  ['UPDATE', 'OLD TABLE AS removed NEW TABLE AS added'],
] as const;
