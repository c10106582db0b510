import { Column } from 'typeorm';
import { TenantRow } from './tenant-row';
import type { Picture, PictureMediaType } from '../../kernel/picture';

/** The columns of a picture. */
export abstract class StoredPicture extends TenantRow implements Picture {
  @Column({ name: 'media_type', type: 'text' })
  mediaType!: PictureMediaType;

  /** In pixels, like the height. */
  @Column({ type: 'int' })
  width!: number;

  @Column({ type: 'int' })
  height!: number;

  @Column({ type: 'bytea' })
  sha256!: Buffer;

  @Column({ type: 'bytea' })
  content!: Buffer;
}
