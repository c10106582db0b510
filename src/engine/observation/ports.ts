import { invalid } from '../../kernel/domain-error';

/** The default ports for a name. */
export const PORTS_OF_NAMES: readonly number[] = [80, 443, 8080, 8443];

/** The default ports for an asset behind a beacon: those that servers use most. */
export const COMMON_PORTS: readonly number[] = [
  21, 22, 23, 25, 53, 80, 81, 88, 110, 111, 113, 119, 135, 139, 143, 179, 389, 443, 445, 465, 514, 548, 554, 587, 631,
  636, 873, 902, 990, 993, 995, 1080, 1433, 1434, 1521, 1723, 1883, 2000, 2049, 2082, 2083, 2086, 2087, 2095, 2121,
  2181, 2375, 2376, 2379, 2380, 3000, 3128, 3268, 3269, 3306, 3389, 3690, 4443, 4444, 5000, 5060, 5222, 5432, 5601,
  5671, 5672, 5900, 5901, 5984, 5985, 6000, 6379, 6443, 7001, 7077, 8000, 8001, 8006, 8008, 8009, 8080, 8081, 8086,
  8088, 8089, 8443, 8500, 8834, 8883, 8888, 9000, 9090, 9092, 9200, 9300, 9418, 10000, 10250, 11211, 27017,
];

/** Printers print what they receive here. */
const PRINTER_PORTS: readonly number[] = [515, 9100, 9101, 9102, 9103, 9104, 9105, 9106, 9107];

/** Controllers of machines and buildings, which unexpected bytes may stop. They only use 2222 over UDP; over TCP it is SSH. */
const CONTROLLER_PORTS: readonly number[] = [
  102, 502, 789, 1089, 1090, 1091, 1911, 2404, 4840, 4911, 9600, 18_245, 20_000, 44_818, 47_808,
];

const SILENT_PORTS: ReadonlySet<number> = new Set([...PRINTER_PORTS, ...CONTROLLER_PORTS]);

/** Whether nothing may be sent to the port. It is dialled only if an admin lists it explicitly. */
export const isSilentPort = (port: number): boolean => SILENT_PORTS.has(port);

/** Whether a URL is enough to request a page from a port: other servers also use the ports of printers. */
export const mayAskPage = (port: number): boolean => !isSilentPort(port) || PRINTER_PORTS.includes(port);

export const MAX_CHOSEN_PORTS = 1_000;

const ALL_PORTS = 'all';
const HIGHEST = 65_535;
const ENTRY = /^(\d{1,5})(?:-(\d{1,5}))?$/;

/** What an admin chose for an asset: ports, or all of them. */
export type ChosenPorts = readonly number[] | typeof ALL_PORTS;

/** Silent ports are included only if they are listed by themselves, not as part of a range. */
function portsOfEntry(entry: string, field: string): number[] {
  const [, first = '', last = first] = ENTRY.exec(entry) ?? [];
  const [from, to] = [Number(first), Number(last)];
  if (first === '' || from < 1 || to > HIGHEST || from > to)
    throw invalid(
      `${field} contains "${entry.slice(0, 40)}", which is not a port from 1 to ${HIGHEST} or a range such as 8000-8100.`,
    );
  if (from === to) return [from];
  const range = Array.from({ length: to - from + 1 }, (_one, at) => from + at);
  return range.filter((port) => !isSilentPort(port));
}

/** Parses a comma-separated list of ports and ranges, or `all`. */
export function parsePorts(text: string, field = 'observe_ports'): ChosenPorts {
  const entries = text.split(',').map((entry) => entry.trim());
  if (entries.length === 1 && entries[0] === ALL_PORTS) return ALL_PORTS;
  if (entries.length > MAX_CHOSEN_PORTS) throw tooMany(field);
  const ports = new Set<number>();
  for (const entry of entries) {
    for (const port of portsOfEntry(entry, field)) ports.add(port);
    if (ports.size > MAX_CHOSEN_PORTS) throw tooMany(field);
  }
  return [...ports].sort((a, b) => a - b);
}

const tooMany = (field: string): Error =>
  invalid(`${field} must have at most ${MAX_CHOSEN_PORTS} ports: name fewer, or "${ALL_PORTS}" where it is allowed.`);

/** The text that `parsePorts` reads. */
export function portsText(chosen: ChosenPorts): string {
  if (chosen === ALL_PORTS) return ALL_PORTS;
  const runs: [first: number, last: number][] = [];
  for (const port of chosen) {
    const run = runs.at(-1);
    if (run !== undefined && port === run[1] + 1 && !isSilentPort(port) && !isSilentPort(run[0])) run[1] = port;
    else runs.push([port, port]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}

/**
 * The ports to try, the most used ones first, so that their results are known after a few seconds even when all ports are tried.
 */
export function portsToTry(chosen: ChosenPorts): number[] {
  const known =
    chosen === ALL_PORTS
      ? Array.from({ length: HIGHEST }, (_one, at) => at + 1).filter((port) => !isSilentPort(port))
      : chosen;
  const common = new Set(COMMON_PORTS);
  return [...known.filter((port) => common.has(port)), ...known.filter((port) => !common.has(port))];
}
