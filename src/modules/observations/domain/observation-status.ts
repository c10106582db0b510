import { Transitions } from '../../../kernel/transitions';

export const OBSERVATION_STATUSES = ['PENDING', 'IN_PROGRESS', 'FINISHED', 'ERROR', 'CANCELED'] as const;

export type ObservationStatus = (typeof OBSERVATION_STATUSES)[number];

const TRANSITIONS: Readonly<Record<ObservationStatus, readonly ObservationStatus[]>> = {
  PENDING: ['IN_PROGRESS', 'ERROR', 'CANCELED'],
  IN_PROGRESS: ['FINISHED', 'ERROR', 'CANCELED'],
  FINISHED: [],
  ERROR: [],
  CANCELED: [],
};

export const observationStatusVocabulary = OBSERVATION_STATUSES.map((name) => ({
  name,
  transitions: TRANSITIONS[name],
}));

const transitions = new Transitions<ObservationStatus>('observation', TRANSITIONS);

export const isObservationOver = (status: ObservationStatus): boolean => TRANSITIONS[status].length === 0;

/** Whether the status changes. Canceling again changes nothing; an observation that has ended otherwise is a conflict. */
export function cancelsObservation(status: ObservationStatus): boolean {
  if (status === 'CANCELED') return false;
  transitions.requireAllowed(status, 'CANCELED');
  return true;
}

/** Why it began. */
export const OBSERVATION_CAUSES = ['schedule', 'request'] as const;

export type ObservationCause = (typeof OBSERVATION_CAUSES)[number];
