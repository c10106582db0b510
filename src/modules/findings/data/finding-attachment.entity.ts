import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PictureMediaType } from '../../../kernel/picture';
import type { ActorType } from '../../../platform/api/caller';
import { NumberedRow, TenantRow } from '../../../platform/database/tenant-row';

/** A file that a person has attached to a finding. */
@Entity({ name: 'finding_attachments' })
export class FindingAttachmentRow extends NumberedRow {
  @Column({ name: 'finding_id', type: 'int' })
  findingId!: number;

  @Column({ type: 'text' })
  name!: string;

  /** Set for a picture that was checked and may be shown; null for all other files, which are only downloaded. */
  @Column({ name: 'media_type', type: 'text', nullable: true })
  mediaType!: PictureMediaType | null;

  /** In bytes. */
  @Column({ type: 'int', default: 0 })
  size!: number;

  /** Null while the file arrives. */
  @Column({ type: 'bytea', nullable: true })
  sha256!: Buffer | null;

  @Column({ name: 'actor_type', type: 'text' })
  actorType!: ActorType;

  @Column({ name: 'actor_id', type: 'text' })
  actorId!: string;

  /** When a part of it last arrived. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  touched!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}

/** An attachment that has arrived completely. */
export type FindingAttachment = Omit<FindingAttachmentRow, 'touched' | 'sha256'> & { readonly sha256: Buffer };

@Entity({ name: 'finding_attachment_chunks' })
export class FindingAttachmentChunk extends TenantRow {
  @PrimaryColumn({ name: 'attachment_id', type: 'int' })
  attachmentId!: number;

  /** The offset of the chunk in the file, in bytes. */
  @PrimaryColumn({ type: 'int' })
  position!: number;

  @Column({ type: 'bytea' })
  content!: Buffer;
}
