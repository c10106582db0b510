import { Controller, Query } from '@nestjs/common';
import { presented, ResponseField } from '../../../platform/api/response-field';
import { Attachment } from '../../../platform/http/attachment';
import { SingleLineText } from '../../../platform/http/fields';
import { InOrganization, type RecordPlace } from '../../../platform/http/in-organization';
import { operationsTagged } from '../../../platform/http/operation';
import { PathId } from '../../../platform/http/path-id';
import { PICTURE_POLICY } from '../../../platform/http/picture-routes';
import { type StreamedBody, StreamedFile } from '../../../platform/http/streamed-body';
import {
  FindingAttachmentsService,
  MAX_ATTACHMENT_BYTES,
  MAX_ATTACHMENTS,
  type ReadAttachment,
} from '../changes/finding-attachments.service';
import type { FindingAttachment } from '../data/finding-attachment.entity';
import { HistoryActor } from './finding-history.responses';

class AttachmentQuery {
  @SingleLineText(200, { optional: true, default: 'file', description: 'The name of the file, without its folders.' })
  name?: string;
}

class AttachmentResponse {
  @ResponseField.integer()
  id!: number;

  @ResponseField.string()
  name!: string;

  @ResponseField.integer({ description: 'In bytes.' })
  size!: number;

  @ResponseField.string({ description: 'In hex.' })
  sha256!: string;

  @ResponseField.string({
    nullable: true,
    description: 'The media type of a picture that the portal shows; null for all other files.',
  })
  media_type!: string | null;

  @ResponseField.one(HistoryActor)
  actor!: HistoryActor;

  @ResponseField.instant()
  created!: string;
}

class AttachmentListResponse {
  @ResponseField.list(AttachmentResponse)
  attachments!: AttachmentResponse[];
}

const example: AttachmentResponse = {
  id: 31,
  name: 'request.har',
  size: 48_213,
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  media_type: null,
  actor: { type: 'user', id: '12' },
  created: '2026-01-31T12:00:00.000Z',
};

const present = ({ sha256, actorType: type, actorId: id, ...attachment }: FindingAttachment): AttachmentResponse =>
  presented(AttachmentResponse, attachment, { sha256: sha256.toString('hex'), actor: { type, id } });

/** A download, or a picture to show in a page. A browser that opens it does not run anything in it. */
export const attachmentFile = ({ attachment, read }: ReadAttachment, isInline = false): Attachment =>
  new Attachment({
    contentType: attachment.mediaType ?? 'application/octet-stream',
    name: attachment.name,
    isInline,
    size: attachment.size,
    digest: attachment.sha256.toString('hex'),
    headers: { 'Content-Security-Policy': PICTURE_POLICY },
    read,
  });

const Operation = operationsTagged('Findings');
const PATH = '/v1/organizations/{organization_id}/findings/{finding_id}/attachments';
const FILE = ['application/octet-stream', 'image/png', 'image/jpeg'];
const audited = { resource: 'finding', id: 'finding_id' } as const;

@Controller()
export class FindingAttachmentsController {
  constructor(private readonly attachments: FindingAttachmentsService) {}

  @Operation(`GET ${PATH}`, {
    id: 'listFindingAttachments',
    summary: 'List the attachments of a finding',
    description: 'The oldest first. Reports do not contain them.',
    role: 'viewer',
    success: { description: 'The files.', body: AttachmentListResponse, example: { attachments: [example] } },
  })
  async list(
    @InOrganization('finding_id') { caller, organizationId, id }: RecordPlace,
  ): Promise<AttachmentListResponse> {
    const all = await this.attachments.list(caller.scope, { organizationId, findingId: id });
    return { attachments: all.map(present) };
  }

  @Operation(`POST ${PATH}`, {
    id: 'attachToFinding',
    summary: 'Attach a file to a finding',
    description: `The body is the file itself, of at most 10 MiB. Send at least 64 KiB a second. A finding has at most ${MAX_ATTACHMENTS} files, and an organization 1 GiB of them unless the operator sets another limit.`,
    role: 'member',
    query: AttachmentQuery,
    upload: { mediaTypes: FILE, maxBytes: MAX_ATTACHMENT_BYTES, example: '{"log":{"version":"1.2","entries":[]}}' },
    success: {
      status: 201,
      description: 'The file was attached.',
      body: AttachmentResponse,
      example,
      location: ({ id }: AttachmentResponse, { organization_id, finding_id }) =>
        `/v1/organizations/${organization_id}/findings/${finding_id}/attachments/${id}`,
    },
    errors: [400, 401, 403, 404, 409, 413, 415, 422],
    audit: { operation: 'finding.attach', ...audited },
  })
  async add(
    @InOrganization('finding_id') { caller, organizationId, id }: RecordPlace,
    @Query() { name = 'file' }: AttachmentQuery,
    @StreamedFile() file: StreamedBody,
  ): Promise<AttachmentResponse> {
    return present(await this.attachments.add(caller, { organizationId, findingId: id }, name, file));
  }

  @Operation(`GET ${PATH}/{attachment_id}`, {
    id: 'downloadFindingAttachment',
    summary: 'Download an attachment of a finding',
    role: 'viewer',
    entityTag: true,
    success: { description: 'The file.', file: FILE },
  })
  async download(
    @InOrganization('finding_id') { caller, organizationId, id: findingId }: RecordPlace,
    @PathId('attachment_id') id: number,
  ): Promise<Attachment> {
    return attachmentFile(await this.attachments.get(caller.scope, { organizationId, findingId }, id));
  }

  @Operation(`DELETE ${PATH}/{attachment_id}`, {
    id: 'deleteFindingAttachment',
    summary: 'Delete an attachment of a finding',
    description: 'Members delete their own attachments, admins any.',
    role: 'member',
    ifMatch: 'downloadFindingAttachment',
    success: { status: 204, description: 'The file was deleted.' },
    audit: { operation: 'finding.attachment_delete', ...audited },
  })
  async remove(
    @InOrganization('finding_id') { caller, organizationId, id: findingId }: RecordPlace,
    @PathId('attachment_id') id: number,
  ): Promise<void> {
    await this.attachments.remove(caller, { organizationId, findingId }, id);
  }
}
