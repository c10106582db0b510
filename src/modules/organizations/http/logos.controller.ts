import { Controller } from '@nestjs/common';
import { PathId } from '../../../platform/http/path-id';
import { PictureRoutes } from '../../../platform/http/picture-routes';
import { LogosService } from '../logos.service';

@Controller()
export class LogosController extends PictureRoutes<number>({
  record: 'organization',
  noun: 'logo',
  path: '/v1/organizations/{organization_id}/logo',
  id: 'organization_id',
  Key: PathId,
  onReplace: ' PDF and HTML reports that are generated from now on show it on the title page.',
  onDelete: 'Reports that exist already keep it.',
}) {
  constructor(protected readonly pictures: LogosService) {
    super();
  }
}
