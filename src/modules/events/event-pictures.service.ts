import { Injectable } from '@nestjs/common';
import { orThrow } from '../../kernel/or-throw';
import { factsOfPicture, type Picture, readPicture } from '../../kernel/picture';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { EventPicturesRepository } from './data/event-pictures.repository';
import type { Event } from './data/event.entity';
import { EventsRepository } from './data/events.repository';
import { eventNotFound, eventPictureNotFound } from './domain/event.errors';

@Injectable()
export class EventPicturesService {
  constructor(
    private readonly events: EventsRepository,
    private readonly pictures: EventPicturesRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async get(scope: Scope, slug: string): Promise<Picture> {
    const { id } = orThrow(await this.events.findOne(scope, slug), eventNotFound);
    return orThrow(await this.pictures.findOfVisible(id), eventPictureNotFound);
  }

  async replace(caller: Caller, slug: string, mediaType: string, content: Buffer): Promise<void> {
    const picture = await readPicture(mediaType, content, caller.tenant);
    const { id, organizationId } = await this.lock(caller, slug);
    await this.pictures.replaceOfLocked({ ...picture, eventId: id, organizationId });
    await this.events.change(id, { picture: `/v1/events/${slug}/picture` });
    this.unitOfWork.note({ metadata: factsOfPicture(picture) });
  }

  async remove(caller: Caller, slug: string): Promise<void> {
    const { id, picture } = await this.lock(caller, slug);
    if (picture === null) throw eventPictureNotFound();
    await this.pictures.removeOfLocked(id);
    await this.events.change(id, { picture: null });
  }

  private async lock(caller: Caller, slug: string): Promise<Event> {
    const event = orThrow(await this.events.lockOne(caller.scope, slug), eventNotFound);
    this.unitOfWork.note({ organizationId: event.organizationId });
    caller.requireRole('admin', event.organizationId);
    await this.unitOfWork.checkCondition();
    return event;
  }
}
