import { Controller } from '@nestjs/common';
import { PathSlug } from '../../../platform/http/path-slug';
import { PictureRoutes } from '../../../platform/http/picture-routes';
import { EventPicturesService } from '../event-pictures.service';

@Controller()
export class EventPicturesController extends PictureRoutes<string>({
  record: 'event',
  noun: 'picture',
  path: '/v1/events/{event_slug}/picture',
  id: 'event_slug',
  Key: PathSlug,
}) {
  constructor(protected readonly pictures: EventPicturesService) {
    super();
  }
}
