import { Injectable } from '@nestjs/common';
import { DomainError, notFound, unprocessable } from '../../../kernel/domain-error';
import { orThrow } from '../../../kernel/or-throw';
import { FairSlots } from '../../../kernel/fair-slots';
import { type PictureMediaType, pictureTypeAt, readPicture } from '../../../kernel/picture';
import type { Caller } from '../../../platform/api/caller';
import { everything, type Scope } from '../../../platform/api/scope';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { Config } from '../../../platform/config/load-config';
import { Transactions } from '../../../platform/database/transactions';
import type { ByteRange } from '../../../platform/http/byte-range';
import { uploadedName } from '../../../platform/http/content-disposition';
import type { StreamedBody } from '../../../platform/http/streamed-body';
import { TenantTurns } from '../../../platform/work/tenant-turns';
import { Scheduled } from '../../../platform/work/work-handler';
import type { FindingAttachment } from '../data/finding-attachment.entity';
import type { LockedFinding } from '../data/finding.entity';
import { isWrittenBy } from '../domain/comments';
import { requireNotMerged } from '../domain/merge';
import { type AttachedTo, FindingAttachmentsRepository, type StoredFile } from './data/finding-attachments.repository';
import { FindingHistoryRepository } from './data/finding-history.repository';
import { FindingsRepository } from './data/findings.repository';

/** Attachments per finding. */
export const MAX_ATTACHMENTS = 20;
export const MAX_ATTACHMENT_BYTES = 10 * 1_024 * 1_024;

/** Large enough for a screenshot of a whole page. A browser needs 40 MB to show 10 million pixels. */
const SHOWN_PICTURES = { least: 1, most: 10_000, pixels: 10_000_000 };

const TASK = 'finding.abandoned_attachments';

/** A file, and a function that reads it. */
export interface ReadAttachment {
  readonly attachment: FindingAttachment;
  read(range: ByteRange): AsyncIterable<Buffer>;
}

const findingNotFound = () => notFound('Finding');
const attachmentNotFound = () => notFound('Attachment');

/**
 * Files that people attach to findings. Each is stored while it arrives, so that a slow client does not hold a database
 * connection.
 */
@Injectable()
export class FindingAttachmentsService {
  /** One picture at a time, because each is read into memory. */
  private readonly pictures = new FairSlots(1);

  constructor(
    private readonly findings: FindingsRepository,
    private readonly attachments: FindingAttachmentsRepository,
    private readonly history: FindingHistoryRepository,
    private readonly transactions: Transactions,
    private readonly unitOfWork: UnitOfWork,
    private readonly config: Config,
    private readonly turns: TenantTurns,
  ) {}

  async list(scope: Scope, of: AttachedTo): Promise<readonly FindingAttachment[]> {
    if ((await this.findings.findOrganization(scope, of.findingId)) !== of.organizationId) throw findingNotFound();
    return this.attachments.listOfVisible(of);
  }

  async get(scope: Scope, of: AttachedTo, id: number): Promise<ReadAttachment> {
    const attachment = orThrow(await this.attachments.findOne(scope, of, id), attachmentNotFound);
    return { attachment, read: (range) => this.attachments.readOfVisible(attachment, range) };
  }

  /** The transaction of the request begins only when the whole file is stored. */
  async add(caller: Caller, to: AttachedTo, path: string, file: StreamedBody): Promise<FindingAttachment> {
    const name = uploadedName(path);
    this.unitOfWork.note({ metadata: { name } });
    const upload = await this.transactions.outside(() =>
      this.transactions.run(async () => {
        const finding = await this.lockForMember(caller, to);
        requireNotMerged(finding);
        file.requireSize(MAX_ATTACHMENT_BYTES);
        if ((await this.attachments.countOfLocked(finding.id)) >= MAX_ATTACHMENTS) throw tooManyAttachments();
        return this.attachments.add(caller.actor, to, name);
      }),
    );
    let isCompleting = false;
    try {
      const limits = { maxBytes: MAX_ATTACHMENT_BYTES, graceMs: this.config.SLOW_UPLOAD_SECONDS * 1_000 };
      const begins: { type: PictureMediaType | null } = { type: null };
      const received = await this.transactions.outside(() =>
        file.store(limits, (chunk, { position }) => {
          if (position === 0) begins.type = pictureTypeAt(chunk);
          return this.attachments.addChunk(upload, position, chunk);
        }),
      );
      const { type } = begins;
      const shown =
        type && (await this.transactions.outside(() => this.pictureType(caller, upload, received.size, type)));
      isCompleting = true;
      const finding = await this.lockForMember(caller, to);
      const attachment = await this.attachments.complete(upload, received, shown);
      await this.noteChange(caller, finding, attachment, { from: null, to: name });
      return attachment;
    } catch (error) {
      const removed = this.transactions.outside(() => this.attachments.remove(upload)).catch(() => undefined);
      // A completing transaction of the request has locked the row, so the removal waits until that one is rolled back.
      if (!isCompleting) await removed;
      throw error;
    }
  }

  /** Members remove their own attachments, admins any. */
  async remove(caller: Caller, of: AttachedTo, id: number): Promise<FindingAttachment> {
    const finding = await this.lockForMember(caller, of);
    const attachment = orThrow(await this.attachments.findOne(caller.scope, of, id), attachmentNotFound);
    if (!isWrittenBy(attachment, caller.actor)) caller.requireRole('admin', of.organizationId);
    await this.unitOfWork.checkCondition();
    if (!(await this.attachments.remove(attachment))) throw attachmentNotFound();
    await this.noteChange(caller, finding, attachment, { from: attachment.name, to: null });
    return attachment;
  }

  @Scheduled({ name: TASK, everySeconds: 60 })
  async removeAbandoned(): Promise<void> {
    const scope = everything('uploads of all organizations may have lost their process');
    await this.turns.sweep(TASK, scope, (part) => this.attachments.removeAbandoned(part));
  }

  private async lockForMember(caller: Caller, { organizationId, findingId }: AttachedTo): Promise<LockedFinding> {
    const finding = await this.findings.lockOne(caller.scope, findingId);
    if (finding?.organizationId !== organizationId) throw findingNotFound();
    this.unitOfWork.note({ organizationId, resourceId: String(findingId) });
    caller.requireRole('member', organizationId);
    return finding;
  }

  private async noteChange(
    { actor }: Caller,
    finding: LockedFinding,
    { id, name, size, sha256 }: FindingAttachment,
    change: { readonly from: string | null; readonly to: string | null },
  ): Promise<void> {
    await this.history.addEdit(actor, finding, [{ field: 'attachments', ...change }], null);
    this.unitOfWork.note({ metadata: { attachment_id: id, name, size, sha256: sha256.toString('hex') } });
  }

  /**
   * The media type of a picture that may be shown. Other files, and files that only begin like a picture, are only downloaded.
   */
  private pictureType(
    { tenant }: Caller,
    file: StoredFile,
    size: number,
    type: PictureMediaType,
  ): Promise<PictureMediaType | null> {
    const read = async (): Promise<PictureMediaType | null> => {
      const content = Buffer.alloc(size);
      let at = 0;
      for await (const chunk of this.attachments.readOfVisible(file, { from: 0, to: size - 1 }))
        at += chunk.copy(content, at);
      try {
        return (await readPicture(type, content, tenant, SHOWN_PICTURES)).mediaType;
      } catch (error) {
        if (error instanceof DomainError) return null;
        throw error;
      }
    };
    return this.pictures.run(tenant, read);
  }
}

const tooManyAttachments = () =>
  unprocessable(`The finding has ${MAX_ATTACHMENTS} attachments, which is the limit. Delete one first.`);
