import { Injectable } from '@nestjs/common';
import { conflict } from '../../../../kernel/domain-error';
import type { PictureMediaType } from '../../../../kernel/picture';
import type { Actor } from '../../../../platform/api/caller';
import type { Scope } from '../../../../platform/api/scope';
import { Database } from '../../../../platform/database/database';
import { sql } from '../../../../platform/database/sql';
import { ownedIn, visibleTo } from '../../../../platform/database/visible';
import type { ByteRange } from '../../../../platform/http/byte-range';
import type { ReceivedFile } from '../../../../platform/http/streamed-body';
import { type FindingAttachment, FindingAttachmentRow } from '../../data/finding-attachment.entity';

/** The finding that has the attachments, and its organization. */
export interface AttachedTo {
  readonly organizationId: number;
  readonly findingId: number;
}

/** A file that is stored, or whose upload has not ended. */
export type StoredFile = Pick<FindingAttachmentRow, 'id' | 'organizationId'>;

/** An upload without new data for this long is abandoned: its process has ended. */
const ABANDONED_AFTER_SECONDS = 300;
const REMOVAL_BATCH = 5;

const uploadAbandoned = () => conflict('The finding or the file was removed while the file arrived. Send it again.');

@Injectable()
export class FindingAttachmentsRepository {
  private readonly columns = this.database.columns(FindingAttachmentRow, 'a', ['touched']);

  constructor(private readonly database: Database) {}

  /** Includes uploads in progress. The caller has locked the finding. */
  countOfLocked(findingId: number): Promise<number> {
    return this.database.count(sql`
      SELECT count(*)::int AS count FROM finding_attachments a WHERE a.finding_id = ${findingId}`);
  }

  async add(actor: Actor, { organizationId, findingId }: AttachedTo, name: string): Promise<StoredFile> {
    const added = await this.database.row<StoredFile>(sql`
      INSERT INTO finding_attachments AS a (organization_id, finding_id, name, actor_type, actor_id)
      VALUES (${organizationId}, ${findingId}, ${name}, ${actor.type}, ${actor.id})
      RETURNING a.id, a.organization_id AS "organizationId"`);
    if (added === undefined) throw new Error('An attachment was not added.');
    return added;
  }

  /** Each part is one statement, and so one transaction. */
  async addChunk({ id, organizationId }: StoredFile, position: number, content: Buffer): Promise<void> {
    const added = await this.database.change(sql`
      WITH upload AS (
        UPDATE finding_attachments SET size = size + ${content.length}, touched = now()
        WHERE id = ${id} AND organization_id = ${organizationId} AND sha256 IS NULL RETURNING id)
      INSERT INTO finding_attachment_chunks (attachment_id, position, organization_id, content)
      SELECT id, ${position}, ${organizationId}, ${content} FROM upload`);
    if (added === 0) throw uploadAbandoned();
  }

  async complete(
    { id, organizationId }: StoredFile,
    { sha256 }: ReceivedFile,
    mediaType: PictureMediaType | null,
  ): Promise<FindingAttachment> {
    const [completed] = await this.database.rows<FindingAttachment>(sql`
      UPDATE finding_attachments a SET sha256 = ${sha256}, media_type = ${mediaType}
      WHERE a.id = ${id} AND a.organization_id = ${organizationId} AND a.sha256 IS NULL RETURNING ${this.columns}`);
    if (completed === undefined) throw uploadAbandoned();
    return completed;
  }

  /** The oldest first. The caller has read the finding in scope. */
  listOfVisible({ organizationId, findingId }: AttachedTo): Promise<FindingAttachment[]> {
    return this.database.rows<FindingAttachment>(sql`
      SELECT ${this.columns} FROM finding_attachments a
      WHERE a.finding_id = ${findingId} AND a.organization_id = ${organizationId} AND a.sha256 IS NOT NULL ORDER BY a.id`);
  }

  findOne(scope: Scope, { organizationId, findingId }: AttachedTo, id: number): Promise<FindingAttachment | undefined> {
    return this.database.row<FindingAttachment>(sql`
      SELECT ${this.columns} FROM finding_attachments a
      WHERE a.id = ${id} AND a.finding_id = ${findingId} AND a.organization_id = ${organizationId}
        AND a.sha256 IS NOT NULL AND ${visibleTo(scope, 'a.organization_id')}`);
  }

  /**
   * Yields the file in chunks, without a database connection between two of them. The caller has read the attachment in scope.
   */
  async *readOfVisible({ id, organizationId }: StoredFile, { from, to }: ByteRange): AsyncGenerator<Buffer> {
    for (let at = from; at <= to;) {
      const chunk = await this.database.row<{ position: number; content: Buffer }>(sql`
        SELECT c.position, c.content FROM finding_attachment_chunks c
        WHERE c.attachment_id = ${id} AND c.organization_id = ${organizationId} AND c.position <= ${at}
        ORDER BY c.position DESC LIMIT 1`);
      const end = chunk === undefined ? at : chunk.position + chunk.content.length;
      if (chunk === undefined || end <= at) throw new Error(`attachment ${id} was deleted while it was read`);
      yield chunk.content.subarray(at - chunk.position, to - chunk.position + 1);
      at = end;
    }
  }

  /** Returns false if it did not exist. */
  async remove({ id, organizationId }: StoredFile): Promise<boolean> {
    const removed = await this.database.change(
      sql`DELETE FROM finding_attachments WHERE id = ${id} AND organization_id = ${organizationId}`,
    );
    return removed > 0;
  }

  /** Removes uploads whose process was killed, and returns how many. */
  removeAbandoned(scope: Scope): Promise<number> {
    return this.database.change(sql`
      DELETE FROM finding_attachments WHERE sha256 IS NULL AND id IN (
        SELECT a.id FROM finding_attachments a
        WHERE a.sha256 IS NULL AND a.touched < now() - make_interval(secs => ${ABANDONED_AFTER_SECONDS})
          AND ${ownedIn(scope, 'a.organization_id')} LIMIT ${REMOVAL_BATCH})`);
  }
}
