import type { Role } from '../../kernel/role';
import type { Caller } from '../../platform/api/caller';
import { homeUrl } from '../urls';
import type { Section } from './page';

export interface SidebarLink {
  readonly section: Section;
  readonly label: string;
  readonly href: string;
}

/** The page of each section, below `/o/{organization}`. */
const OF_ORGANIZATION: readonly (readonly [Section, string, string])[] = [
  ['home', 'Home', ''],
  ['findings', 'Findings', '/findings'],
  ['assets', 'Assets', '/assets'],
  ['scans', 'Scans', '/scans'],
  ['imports', 'Imports', '/imports'],
  ['events', 'Events', '/events'],
  ['domains', 'Domains', '/domains'],
  ['beacons', 'Beacons', '/beacons'],
  ['reports', 'Reports', '/reports'],
  ['schedules', 'Schedules', '/schedules'],
  ['webhooks', 'Webhooks', '/webhooks'],
  ['activity', 'Activity', '/activity'],
  ['audit', 'Audit log', '/audit'],
];

/** Viewers read none of these, and only admins read the webhooks and the audit log. */
const NEEDED_ROLES: ReadonlyMap<Section, Role> = new Map([
  ['schedules', 'member'],
  ['webhooks', 'admin'],
  ['audit', 'admin'],
]);

export function sidebarLinks(caller: Caller, organizationId: number | undefined): SidebarLink[] {
  const settings: SidebarLink = { section: 'settings', label: 'Settings', href: '/settings/api' };
  if (organizationId === undefined) return [settings];
  const pages = OF_ORGANIZATION.filter(([section]) =>
    caller.hasRole(NEEDED_ROLES.get(section) ?? 'viewer', organizationId),
  );
  return [
    ...pages.map(([section, label, path]) => ({ section, label, href: homeUrl(organizationId) + path })),
    settings,
  ];
}
