import { Controller } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import type { Attachment } from '../../../platform/http/attachment';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { FileBody, UploadedFile } from '../../../platform/http/file-body';
import { operationsTagged } from '../../../platform/http/operation';
import { PathSlug } from '../../../platform/http/path-slug';
import { pictureFile, PICTURE_LIMITS, presentPicture } from '../../../platform/http/picture-attachment';
import { EventPicturesService } from '../event-pictures.service';

const operation = operationsTagged('Events');

@Controller()
export class EventPicturesController {
  constructor(private readonly pictures: EventPicturesService) {}

  @operation('PUT /v1/events/{event_slug}/picture', {
    id: 'replaceEventPicture',
    summary: 'Set the picture of an event',
    description: `The body is the file: ${PICTURE_LIMITS}`,
    role: 'admin',
    file: pictureFile,
    ifMatch: 'downloadEventPicture',
    success: { status: 204, description: 'The picture was set.' },
    errors: [400, 401, 403, 404, 413, 415],
    audit: { operation: 'event.picture_change', resource: 'event', id: 'event_slug' },
  })
  async replace(
    @CurrentCaller() caller: Caller,
    @PathSlug('event_slug') slug: string,
    @UploadedFile() file: FileBody,
  ): Promise<void> {
    await this.pictures.replace(caller, slug, file.mediaType, file.content);
  }

  @operation('GET /v1/events/{event_slug}/picture', {
    id: 'downloadEventPicture',
    summary: 'Download the picture of an event',
    role: 'viewer',
    entityTag: true,
    success: { description: 'The file.', file: pictureFile.mediaTypes },
  })
  async download(@CurrentCaller() caller: Caller, @PathSlug('event_slug') slug: string): Promise<Attachment> {
    return presentPicture('picture', await this.pictures.get(caller.scope, slug));
  }

  @operation('DELETE /v1/events/{event_slug}/picture', {
    id: 'deleteEventPicture',
    summary: 'Delete the picture of an event',
    role: 'admin',
    ifMatch: 'downloadEventPicture',
    success: { status: 204, description: 'The picture was deleted.' },
    audit: { operation: 'event.picture_delete', resource: 'event', id: 'event_slug' },
  })
  async remove(@CurrentCaller() caller: Caller, @PathSlug('event_slug') slug: string): Promise<void> {
    await this.pictures.remove(caller, slug);
  }
}
