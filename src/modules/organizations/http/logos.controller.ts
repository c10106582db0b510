import { Controller } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { Attachment } from '../../../platform/http/attachment';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { FileBody, UploadedFile } from '../../../platform/http/file-body';
import { Operation } from '../../../platform/http/operation';
import { PathId } from '../../../platform/http/path-id';
import { pictureFile, PICTURE_LIMITS, presentPicture } from '../../../platform/http/picture-attachment';
import { LogosService } from '../logos.service';

@Controller()
export class LogosController {
  constructor(private readonly logos: LogosService) {}

  @Operation('PUT /v1/organizations/{organization_id}/logo', {
    id: 'replaceOrganizationLogo',
    tag: 'Organizations',
    summary: 'Set the logo of an organization',
    description: `The body is the file: ${PICTURE_LIMITS} PDF and HTML reports that are generated from now on show it on the title page.`,
    role: 'admin',
    file: pictureFile,
    ifMatch: 'downloadOrganizationLogo',
    success: { status: 204, description: 'The logo was set.' },
    errors: [400, 401, 403, 404, 413, 415],
    audit: { operation: 'organization.logo_change', resource: 'organization', id: 'organization_id' },
  })
  async replace(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') id: number,
    @UploadedFile() file: FileBody,
  ): Promise<void> {
    await this.logos.replace(caller, id, file.mediaType, file.content);
  }

  @Operation('GET /v1/organizations/{organization_id}/logo', {
    id: 'downloadOrganizationLogo',
    tag: 'Organizations',
    summary: 'Download the logo of an organization',
    role: 'viewer',
    entityTag: true,
    success: { description: 'The file.', file: pictureFile.mediaTypes },
  })
  async download(@CurrentCaller() caller: Caller, @PathId('organization_id') id: number): Promise<Attachment> {
    return presentPicture('logo', await this.logos.get(caller.scope, id));
  }

  @Operation('DELETE /v1/organizations/{organization_id}/logo', {
    id: 'deleteOrganizationLogo',
    tag: 'Organizations',
    summary: 'Delete the logo of an organization',
    description: 'Reports that exist already keep it.',
    role: 'admin',
    ifMatch: 'downloadOrganizationLogo',
    success: { status: 204, description: 'The logo was deleted.' },
    audit: { operation: 'organization.logo_delete', resource: 'organization', id: 'organization_id' },
  })
  async remove(@CurrentCaller() caller: Caller, @PathId('organization_id') id: number): Promise<void> {
    await this.logos.remove(caller, id);
  }
}
