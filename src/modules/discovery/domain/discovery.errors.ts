import { conflict, notFound, unprocessable } from '../../../kernel/domain-error';

export const discoveryNotFound = () => notFound('Discovery');

export const discoveryRunning = () =>
  conflict('A discovery of this beacon is running. Wait until it ends, or cancel it.');

export const beaconNotConnected = (name: string) =>
  unprocessable(
    `No agent of the beacon ${name} is connected. Start assay-beacon in its network, wait until the beacon is online, and try again.`,
  );

export const cidrNotAllowed = (block: string) =>
  unprocessable(
    `${block} is not inside of the beacon's allowed_cidrs. Name blocks that are, or add it to allowed_cidrs.`,
  );

export const cidrNotPrivate = (block: string) =>
  unprocessable(
    `${block} has addresses that are not private, and a discovery tries only private ones. Add public hosts as assets instead.`,
  );

export const noPrivateCidr = () =>
  unprocessable(
    "None of the beacon's allowed_cidrs is a private network, and a discovery tries only private addresses. Add public hosts as assets instead.",
  );

export const tooManyHosts = (hosts: string, limit: string, example: string) =>
  unprocessable(
    `The networks have ${hosts} hosts, and a discovery tries at most ${limit}. Name smaller blocks in cidrs, such as ${example}, and start one discovery after the other.`,
  );
