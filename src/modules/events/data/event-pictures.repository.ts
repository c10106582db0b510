import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { EventPicture } from './event-picture.entity';

@Injectable()
export class EventPicturesRepository {
  private readonly columns = this.database.columns(EventPicture, 'p');

  constructor(private readonly database: Database) {}

  findOfVisible(eventId: number): Promise<EventPicture | undefined> {
    return this.database.row<EventPicture>(
      sql`SELECT ${this.columns} FROM event_pictures p WHERE p.event_id = ${eventId}`,
    );
  }

  /** Replaces the previous picture. The caller has locked the event. */
  async replaceOfLocked(picture: EventPicture): Promise<void> {
    const repository = await this.database.repository(EventPicture);
    await repository.upsert(picture, ['eventId', 'organizationId']);
  }

  /** The caller has locked the event. */
  async removeOfLocked(eventId: number): Promise<void> {
    const repository = await this.database.repository(EventPicture);
    await repository.delete({ eventId });
  }
}
