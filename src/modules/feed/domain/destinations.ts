import { type DomainError, notFound, unprocessable } from '../../../kernel/domain-error';

export const DESTINATION_STATES = ['active', 'paused'] as const;
export type DestinationState = (typeof DESTINATION_STATES)[number];

/** What differs between webhooks, channels and trackers. */
export interface DestinationKind<Reason extends string = string> {
  /** Its name in audit entries, tables (with an s) and sentences. */
  readonly noun: 'webhook' | 'channel' | 'tracker';
  /** Why one is paused, with what to do. */
  readonly pauses: Readonly<Record<Reason, string>>;
  /** What the mail about a pause adds. */
  readonly meanwhile?: string;
  /** For an organization that has too many. */
  readonly advice: string;
}

export const destinationNotFound = ({ noun }: DestinationKind): DomainError =>
  notFound(`${noun.charAt(0).toUpperCase()}${noun.slice(1)}`);

export const tooManyDestinations = ({ noun, advice }: DestinationKind, limit: number): DomainError =>
  unprocessable(`The organization has ${limit} ${noun}s, which is the limit. ${advice}`);
