import type { Role } from '../../kernel/role';
import type { Caller } from '../../platform/api/caller';
import { homeUrl } from '../urls';
import type { Section } from './page';

export interface SidebarLink {
  readonly section: Section;
  readonly label: string;
  readonly href: string;
  readonly startsGroup?: boolean;
}

/** The page of each section, below `/o/{organization}`. Space separates the groups: to fix, to test, what is tested, to tell. */
const GROUPS: readonly (readonly (readonly [Section, string, string])[])[] = [
  [
    ['home', 'Home', ''],
    ['findings', 'Findings', '/findings'],
    ['activity', 'Activity', '/activity'],
  ],
  [
    ['scans', 'Scans', '/scans'],
    ['schedules', 'Schedules', '/schedules'],
    ['imports', 'Imports', '/imports'],
    ['events', 'Events', '/events'],
  ],
  [
    ['assets', 'Assets', '/assets'],
    ['domains', 'Domains', '/domains'],
    ['beacons', 'Beacons', '/beacons'],
  ],
  [
    ['reports', 'Reports', '/reports'],
    ['audit', 'Audit log', '/audit'],
  ],
];

/** Viewers read no schedules, and only admins read the audit log. */
const NEEDED_ROLES: ReadonlyMap<Section, Role> = new Map([
  ['schedules', 'member'],
  ['audit', 'admin'],
]);

export function sidebarLinks(caller: Caller, organizationId: number | undefined): SidebarLink[] {
  const settings: SidebarLink = { section: 'settings', label: 'Settings', href: '/settings/api' };
  if (organizationId === undefined) return [settings];
  const pages = GROUPS.flatMap((group) =>
    group
      .filter(([section]) => caller.hasRole(NEEDED_ROLES.get(section) ?? 'viewer', organizationId))
      .map(([section, label, path], index) => ({
        section,
        label,
        href: homeUrl(organizationId) + path,
        startsGroup: index === 0,
      })),
  );
  return [...pages, settings];
}
