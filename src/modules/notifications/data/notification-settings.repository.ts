import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { visibleOrganization } from '../../../platform/database/visible';
import { NotificationSettings } from './notification-settings.entity';

export interface Listening {
  readonly organizationId: number;
  readonly position: number;
}

@Injectable()
export class NotificationSettingsRepository {
  constructor(private readonly database: Database) {}

  async hasMailTitlesOfVisible(organizationId: number): Promise<boolean> {
    const row = await this.database.row<Pick<NotificationSettings, 'mailTitles'>>(
      sql`SELECT mail_titles AS "mailTitles" FROM notification_settings WHERE organization_id = ${organizationId}`,
    );
    return row?.mailTitles ?? true;
  }

  async saveMailTitles(organizationId: number, mailTitles: boolean): Promise<void> {
    const repository = await this.database.repository(NotificationSettings);
    await repository.upsert({ organizationId, mailTitles }, ['organizationId']);
  }

  /** The organizations in which somebody may get notices, and how far their feeds were read. */
  async listListening(scope: Scope): Promise<Listening[]> {
    const rows = await this.database.rows<{ organizationId: number; position: string }>(sql`
      SELECT o.id AS "organizationId", coalesce(s.position, 0) AS position
      FROM organizations o LEFT JOIN notification_settings s ON s.organization_id = o.id
      WHERE ${visibleOrganization(scope, 'o')} ORDER BY o.id`);
    return rows.map(({ organizationId, position }) => ({ organizationId, position: Number(position) }));
  }

  /** Returns false if another worker has moved it. */
  async move({ organizationId, position }: Listening, to: number): Promise<boolean> {
    const moved = await this.database.change(sql`
      INSERT INTO notification_settings AS s (organization_id, position) VALUES (${organizationId}, ${to})
      ON CONFLICT (organization_id) DO UPDATE SET position = ${to} WHERE s.position = ${position}`);
    return moved > 0;
  }
}
