import type { Baseline } from './baseline';
import type { Control } from './control';
import type { Page } from './page';
import type { Replay } from './probe';
import type { ClientIdentity } from './transport/client-identity';
import type { Twins } from './twin-answers';

/** The state of a probe that its repeats reuse. */
export interface ProbeMemory {
  /** Responses may depend on the kind of client. */
  readonly identity: ClientIdentity;
  readonly control: Control;
  readonly missing: Page | null;
  readonly twins: Twins;
  readonly replay: Replay;
  /** The changes of the site that were accepted for its repeats. */
  readonly accepted: AcceptedChanges;
}

export interface AcceptedChanges {
  /** Replaces the control if that looks different than in the baseline. */
  readonly page: Page | null;
  /** What every response to the decisive request must be like, if missing paths are now answered differently. */
  readonly answers: readonly Page[];
}

/** The memory for a repeat of another request than the decisive one. */
export const memoryFor = (memory: ProbeMemory, before: Baseline): ProbeMemory =>
  before.on === 'web' ? { ...memory, replay: { ...memory.replay, decisive: before.decisive } } : memory;
