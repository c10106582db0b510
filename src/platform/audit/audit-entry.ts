import type { Actor } from '../api/caller';
import type { TraceContext } from '../../kernel/trace-context';
import type { ResourceType } from '../api/resource-type';

export interface NamedResource {
  readonly type: ResourceType;
  readonly id: string;
}

export type AuditStatus = 'success' | 'failure';

/** What is known about a unit of work before it begins. `AuditDraft.note` adds the rest. */
export interface AuditDescription {
  readonly actor: Actor;
  /** `resource.verb`, as in `finding.status_update`. */
  readonly operation: string;
  readonly resourceType: ResourceType;
  readonly resourceId?: string;
  /** The record that contains the resource, if the path names it. It can determine the organization of a rejected request. */
  readonly parent?: NamedResource;
  readonly organizationId?: number | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The trace of the request or of the work. Its id becomes part of the metadata. */
  readonly trace?: TraceContext;
  /** Set if a failure is recorded: the transaction commits, and the entry has the status failure. */
  readonly outcome?: 'failure';
}

export interface AuditEntry extends AuditDescription {
  readonly status: AuditStatus;
}

export type AuditPart = Pick<AuditDescription, 'operation' | 'resourceType' | 'resourceId'>;

export type AuditNote = Partial<Pick<AuditDescription, 'resourceId' | 'organizationId' | 'metadata'>>;

/** The audit entry of a unit of work that is running. */
export class AuditDraft {
  private notes: AuditNote = {};

  constructor(private readonly description: AuditDescription) {}

  note(note: AuditNote): void {
    this.notes = { ...this.notes, ...note, metadata: { ...this.notes.metadata, ...note.metadata } };
  }

  /** The description of a part of this work, which has an entry of its own. */
  partOf(part: AuditPart): AuditDescription {
    const { actor, metadata, trace } = this.description;
    return { actor, metadata, trace, ...part };
  }

  get metadata(): AuditDescription['metadata'] {
    return this.description.metadata;
  }

  get trace(): TraceContext | undefined {
    return this.description.trace;
  }

  /** Null until it is known. */
  get organizationId(): number | null {
    return this.notes.organizationId ?? this.description.organizationId ?? null;
  }

  entry(status: AuditStatus, metadata: Readonly<Record<string, unknown>> = {}): AuditEntry {
    return {
      ...this.description,
      ...this.notes,
      status: this.description.outcome ?? status,
      metadata: {
        ...(this.trace && { trace_id: this.trace.traceId }),
        ...this.description.metadata,
        ...this.notes.metadata,
        ...metadata,
      },
    };
  }
}
