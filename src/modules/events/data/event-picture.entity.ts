import { Entity, PrimaryColumn } from 'typeorm';
import { StoredPicture } from '../../../platform/database/stored-picture';

@Entity({ name: 'event_pictures' })
export class EventPicture extends StoredPicture {
  @PrimaryColumn({ name: 'event_id', type: 'int' })
  eventId!: number;
}
