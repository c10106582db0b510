import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A template that an operator has loaded, as its current version states it. It belongs to no organization. */
@Entity({ name: 'library_checks' })
export class LibraryCheckRow {
  /** The id in the template, without the prefix `http:` of its check. */
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** The order in which templates were first loaded. */
  @Column({ type: 'int', generated: 'identity', generatedIdentity: 'ALWAYS', insert: false, update: false })
  number!: number;

  /** Rises when the content changes. */
  @Column({ type: 'int' })
  version!: number;

  @Column({ type: 'text' })
  title!: string;

  @Column({ type: 'smallint' })
  severity!: number;

  @Column({ type: 'int', array: true })
  cwe!: number[];

  @Column({ type: 'text', array: true })
  tags!: string[];

  /** The beginning of its description. */
  @Column({ type: 'text' })
  detects!: string;

  /** The methods of its requests that may change state on the target. */
  @Column({ name: 'unsafe_methods', type: 'text', array: true })
  unsafeMethods!: string[];

  /** The values that it uses and does not define. */
  @Column({ name: 'missing_values', type: 'text', array: true })
  missingValues!: string[];

  /** How many requests it sends at most, redirects apart. */
  @Column({ type: 'int' })
  requests!: number;

  /** When this version was loaded. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  loaded!: Date;

  /** Since when no new finding and no job may use it; null while they may. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  retired!: Date | null;
}
