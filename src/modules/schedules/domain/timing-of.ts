import type { Timing } from './timing';

export interface StoredTiming extends Omit<Timing, 'seed'> {
  readonly organizationId: number;
  readonly name: string;
}

/** With a seed that is known before the schedule is saved, so that its next runs are shown exactly. */
export const timingOf = ({ organizationId, name, ...timing }: StoredTiming): Timing => ({
  ...timing,
  seed: `${organizationId} ${name}`,
});
