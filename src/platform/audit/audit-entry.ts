import type { Actor } from '../api/caller';
import type { ResourceType } from '../api/resource-type';

/** A record, as an entry names it. */
export interface NamedResource {
  readonly type: ResourceType;
  readonly id: string;
}

export type AuditStatus = 'success' | 'failure';

/** What a piece of work says of itself before it begins; the rest is noted while it goes on. */
export interface AuditDescription {
  readonly actor: Actor;
  /** `resource.verb`, as in `finding.status_update`. */
  readonly operation: string;
  readonly resourceType: ResourceType;
  readonly resourceId?: string;
  /** What the resource is part of, where that is named beside it: it may say whose log a refusal belongs in. */
  readonly parent?: NamedResource;
  readonly organizationId?: number | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** For work whose end is written down because it failed: the entry commits, and says failure. */
  readonly outcome?: 'failure';
}

export interface AuditEntry extends AuditDescription {
  readonly status: AuditStatus;
}

export type AuditNote = Partial<Pick<AuditDescription, 'resourceId' | 'organizationId' | 'metadata'>>;

/** The entry of one piece of work, while the work goes on. */
export class AuditDraft {
  private notes: AuditNote = {};

  constructor(private readonly description: AuditDescription) {}

  note(note: AuditNote): void {
    this.notes = { ...this.notes, ...note, metadata: { ...this.notes.metadata, ...note.metadata } };
  }

  /** Whose work it is, as far as it has come to know. */
  get organizationId(): number | null {
    return this.notes.organizationId ?? this.description.organizationId ?? null;
  }

  entry(status: AuditStatus, metadata: Readonly<Record<string, unknown>> = {}): AuditEntry {
    return {
      ...this.description,
      ...this.notes,
      status: this.description.outcome ?? status,
      metadata: { ...this.description.metadata, ...this.notes.metadata, ...metadata },
    };
  }
}
