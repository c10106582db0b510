import { conflict, DomainError, notFound, unprocessable } from '../../../kernel/domain-error';

export const beaconNotFound = () => notFound('Beacon');

export const beaconNameTaken = () => conflict('A beacon with this name already exists in the organization.');

export const beaconsLimitReached = (limit: number) =>
  unprocessable(`An organization has at most ${limit} beacons, and all of them exist. Delete one first.`);

export const noFreePort = () =>
  unprocessable('Every tunnel port of the service is taken. Ask its operator for a wider range of ports.');

export const makerIsNoAdmin = () =>
  new DomainError(
    'unauthenticated',
    'Whoever created this token is no admin of the organization any more. An admin can create another one.',
  );

export const registrationUsed = () =>
  conflict('Another agent has registered with this token. Create a registration token for this agent.');

export const otherBeacon = (name: string) =>
  conflict(`The registration token is for the beacon ${name}. Use the token of the beacon that you mean, or its name.`);

export const noCommonNetwork = (networks: readonly string[], allowed: readonly string[]) =>
  unprocessable(
    `None of the networks ${networks.join(', ')} is inside those of the beacon: ${allowed.join(', ')}. Correct one of them.`,
  );

export const tooManyNetworks = (limit: number) =>
  unprocessable(`A beacon has at most ${limit} networks, and more are inside its own. State larger blocks.`);
