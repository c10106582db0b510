import { conflict, notFound, unprocessable } from '../../../kernel/domain-error';

export const beaconNotFound = () => notFound('Beacon');

export const beaconNameTaken = () => conflict('A beacon with this name already exists in the organization.');

export const beaconsLimitReached = (limit: number) =>
  unprocessable(`An organization has at most ${limit} beacons, and all of them exist. Delete one first.`);

export const noFreePort = () =>
  unprocessable('Every tunnel port of the service is taken. Ask its operator for a wider range of ports.');
