import { asLine } from '../../../kernel/plain-text';

/** What was not stated is empty. */
export interface ObservedTechnology {
  readonly name: string;
  readonly vendor: string;
  readonly version: string;
  readonly os: string;
  readonly cpe: string;
  readonly source: string;
}

/** What an asset shows, from the target's own words. */
export interface ObservedAsset {
  /** The address that answered; null if none did. */
  readonly ip: string | null;
  readonly services: readonly string[];
  readonly ports: readonly number[];
  readonly technologies: readonly ObservedTechnology[];
}

const MAX_SERVICES = 100;
const MAX_PORTS = 1_000;
const MAX_TECHNOLOGIES = 100;

const MAX_LENGTHS = { name: 200, vendor: 200, version: 100, os: 100, cpe: 512, source: 500 } as const;

const limited = (text: string, length: number): string => asLine(text.slice(0, length)).trim();

/** Texts of targets as the database accepts them, and no longer than needed. */
export const storableTechnology = (technology: ObservedTechnology): ObservedTechnology => ({
  name: limited(technology.name, MAX_LENGTHS.name),
  vendor: limited(technology.vendor, MAX_LENGTHS.vendor),
  version: limited(technology.version, MAX_LENGTHS.version),
  os: limited(technology.os, MAX_LENGTHS.os),
  cpe: limited(technology.cpe, MAX_LENGTHS.cpe),
  source: limited(technology.source, MAX_LENGTHS.source),
});

/** What is stored of it: texts that the database accepts, each technology once in each version, and no more than the limits. */
export function storableAsset({ ip, services, ports, technologies }: ObservedAsset): ObservedAsset {
  const byVersion = new Map<string, ObservedTechnology>();
  for (const technology of technologies.map(storableTechnology)) {
    const key = JSON.stringify([technology.name, technology.version]);
    if (technology.name !== '' && !byVersion.has(key)) byVersion.set(key, technology);
  }
  return {
    ip,
    services: [...new Set(services.map((name) => limited(name, MAX_LENGTHS.name)))].sort().slice(0, MAX_SERVICES),
    ports: [...new Set(ports)].sort((one, other) => one - other).slice(0, MAX_PORTS),
    technologies: [...byVersion.values()].slice(0, MAX_TECHNOLOGIES),
  };
}
