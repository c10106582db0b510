import { Transitions } from '../../../kernel/transitions';

export const DISCOVERY_STATUSES = ['PENDING', 'IN_PROGRESS', 'FINISHED', 'ERROR', 'CANCELED'] as const;

export type DiscoveryStatus = (typeof DISCOVERY_STATUSES)[number];

const TRANSITIONS: Readonly<Record<DiscoveryStatus, readonly DiscoveryStatus[]>> = {
  PENDING: ['IN_PROGRESS', 'ERROR', 'CANCELED'],
  IN_PROGRESS: ['FINISHED', 'ERROR', 'CANCELED'],
  FINISHED: [],
  ERROR: [],
  CANCELED: [],
};

export const discoveryStatusVocabulary = DISCOVERY_STATUSES.map((name) => ({ name, transitions: TRANSITIONS[name] }));

const transitions = new Transitions<DiscoveryStatus>('discovery', TRANSITIONS);

export const isDiscoveryOver = (status: DiscoveryStatus): boolean => TRANSITIONS[status].length === 0;

/** Whether the status changes. Canceling again changes nothing; a discovery that has ended otherwise is a conflict. */
export function cancelsDiscovery(status: DiscoveryStatus): boolean {
  if (status === 'CANCELED') return false;
  transitions.requireAllowed(status, 'CANCELED');
  return true;
}
