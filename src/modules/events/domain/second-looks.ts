import { EVENT_TYPE, type EventType } from './event-vocabulary';

/** In a human event only where its admin turned them on: people agreed on what is sent. */
export const hasSecondLooks = ({
  secondLook,
  eventType,
}: {
  secondLook: boolean | null;
  eventType: EventType;
}): boolean => secondLook ?? eventType === EVENT_TYPE.machine;
