import { conflict, notFound, PlacesTakenError, unprocessable } from '../../../kernel/domain-error';

export const observationNotFound = () => notFound('Observation');

export const observationRunning = () =>
  conflict('An observation of this asset is unfinished. Wait until it ends, or cancel it.');

export const tooManyUnfinishedObservations = (limit: number) =>
  new PlacesTakenError(
    `${limit} observations of this organization are unfinished, which is the limit. Start another when one of them ends, or cancel one.`,
  );

export const observationTurnedOff = () =>
  unprocessable('An admin has turned off the observation of this asset. Set `observe` to true first.');

export const notObservable = (reason: string) => unprocessable(`The asset cannot be observed. ${reason}`);

export const notHostedElsewhere = (field: string, target: string | null) =>
  unprocessable(
    target === null
      ? `${field} cannot be set: the last observation did not show that someone else runs the host.`
      : `${field} must be the target of the last observation, ${target}, or null.`,
  );

export const portsNeedBeacon = () =>
  unprocessable(
    'observe_ports can be `all` only behind a beacon. Without one, ask the operator of Assay to allow ports (docs/targets.md), or name up to 1,000 ports.',
  );
