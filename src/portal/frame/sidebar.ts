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
  ['audit', 'Audit log', '/audit'],
];

/** Only admins read the audit log. */
const NEEDS_ADMIN: ReadonlySet<Section> = new Set(['audit']);

export function sidebarLinks(caller: Caller, organizationId: number | undefined): SidebarLink[] {
  const settings: SidebarLink = { section: 'settings', label: 'Settings', href: '/settings/api' };
  if (organizationId === undefined) return [settings];
  const isAdmin = caller.hasRole('admin', organizationId);
  const pages = OF_ORGANIZATION.filter(([section]) => isAdmin || !NEEDS_ADMIN.has(section));
  return [
    ...pages.map(([section, label, path]) => ({ section, label, href: homeUrl(organizationId) + path })),
    settings,
  ];
}
