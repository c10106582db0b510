import { CONTENT_SYSTEMS } from './content-systems';
import { DEVELOPER_TOOLS } from './developer-tools';
import { FRAMEWORKS } from './frameworks';
import { HOSTING_AND_NETWORKS } from './hosting-and-networks';
import { LIBRARIES } from './libraries';
import { MANAGEMENT_TOOLS } from './management-tools';
import { PROXIES_AND_SMALL_SERVERS } from './proxies-and-small-servers';
import { SERVICES } from './services';
import type { PageMark, Technology } from './technology';
import { WEB_SERVERS } from './web-servers';

export const TECHNOLOGIES: readonly Technology[] = [
  ...WEB_SERVERS,
  ...PROXIES_AND_SMALL_SERVERS,
  ...HOSTING_AND_NETWORKS,
  ...FRAMEWORKS,
  ...CONTENT_SYSTEMS,
  ...DEVELOPER_TOOLS,
  ...MANAGEMENT_TOOLS,
  ...LIBRARIES,
  ...SERVICES,
];

type Rules<Sign> = readonly (readonly [technology: Technology, sign: Sign])[];

const rules = <Sign>(signsOf: (technology: Technology) => readonly Sign[]): Rules<Sign> =>
  TECHNOLOGIES.flatMap((technology) => signsOf(technology).map((sign) => [technology, sign] as const));

const one = <Sign>(sign: Sign | undefined): readonly Sign[] => (sign === undefined ? [] : [sign]);

/** With its key: the service, or the name of the header. */
type Keyed = readonly [key: string, expression: RegExp];

function byKey(signsOf: (technology: Technology) => readonly Keyed[]): ReadonlyMap<string, Rules<RegExp>> {
  const map = new Map<string, (readonly [Technology, RegExp])[]>();
  for (const [technology, [key, expression]] of rules(signsOf))
    map.set(key, [...(map.get(key) ?? []), [technology, expression]]);
  return map;
}

export const BY_SERVICE = byKey(({ greetings = {} }) => Object.entries(greetings));
export const BY_HEADER = byKey(({ headers = {} }) => Object.entries(headers));
export const COOKIES: Rules<RegExp> = rules(({ cookie }) => one(cookie));
export const GENERATORS: Rules<RegExp> = rules(({ generator }) => one(generator));
export const PAGE_MARKS: Rules<PageMark> = rules(({ page = [] }) => page);
/** All expressions of one technology, of which the first match counts. */
export const SCRIPTS: Rules<readonly RegExp[]> = rules(({ scripts }) => one(scripts));
export const ICONS: Rules<number> = rules(({ icons = [] }) => icons);
