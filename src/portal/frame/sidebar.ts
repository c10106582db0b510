import type { Section } from './page';

interface SidebarLink {
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
  ['events', 'Events', '/events'],
  ['domains', 'Domains', '/domains'],
  ['beacons', 'Beacons', '/beacons'],
  ['reports', 'Reports', '/reports'],
];

export function sidebarLinks(organizationId: number | undefined): SidebarLink[] {
  const pages = organizationId === undefined ? [] : OF_ORGANIZATION;
  return [
    ...pages.map(([section, label, path]) => ({ section, label, href: `/o/${organizationId}${path}` })),
    { section: 'settings', label: 'Settings', href: '/settings/api' },
  ];
}
