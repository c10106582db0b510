import { Controller, Get, Param, Req } from '@nestjs/common';
import { notFound } from '../../kernel/domain-error';
import { attachmentFile, FindingAttachmentsService } from '../../modules/findings';
import type { Attachment } from '../../platform/http/attachment';
import { parseId } from '../../platform/http/path-id';
import { SeeOther } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import type { PortalRequest } from '../http/portal-request';
import { PostChange } from '../http/route-metadata';
import { requireStreamedFile } from '../http/streamed-form';
import { findingUrl } from '../urls';

const changed = { resource: 'finding', id: 'finding_id' } as const;

type At = Place<'finding'>;

const findingOf = ({ organizationId, finding: { id: findingId } }: At) => ({ organizationId, findingId });

const cardOf = ({ organizationId, finding }: At): string => `${findingUrl(organizationId, finding.id)}#attachments`;

@Controller('o/:organization/findings/:finding_id/attachments')
export class AttachmentsController {
  constructor(private readonly attachments: FindingAttachmentsService) {}

  /** The file is read while it arrives, when everything else was checked. */
  @PostChange('', { operation: 'finding.attach', ...changed })
  async attach(@InOrganization() place: At, @Req() request: PortalRequest): Promise<SeeOther> {
    const { name, body } = await requireStreamedFile(request);
    const attached = await this.attachments.add(place.caller, findingOf(place), name, body);
    return new SeeOther(cardOf(place), `${attached.name} was attached.`);
  }

  @Get(':attachment_id')
  async download(@InOrganization() place: At, @Param('attachment_id') id: string): Promise<Attachment> {
    return attachmentFile(await this.attachments.get(place.caller.scope, findingOf(place), parseId(id)));
  }

  @Get(':attachment_id/picture')
  async picture(@InOrganization() place: At, @Param('attachment_id') id: string): Promise<Attachment> {
    const found = await this.attachments.get(place.caller.scope, findingOf(place), parseId(id));
    if (found.attachment.mediaType === null) throw notFound('Picture');
    return attachmentFile(found, true);
  }

  @PostChange(':attachment_id/delete', { operation: 'finding.attachment_delete', ...changed })
  async remove(@InOrganization() place: At, @Param('attachment_id') id: string): Promise<SeeOther> {
    const { name } = await this.attachments.remove(place.caller, findingOf(place), parseId(id));
    return new SeeOther(cardOf(place), `${name} was deleted.`);
  }
}
