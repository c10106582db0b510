import type { Role } from '../../kernel/role';
import type { Caller } from '../../platform/api/caller';
import { homeUrl } from '../urls';
import type { Section, SidebarSection } from './page';

interface SectionPage {
  readonly label: string;
  /** Below `/o/{organization}`. */
  readonly path: string;
  /** The section of the sidebar that its pages belong to. Without one it stands in the sidebar itself. */
  readonly within?: SidebarSection;
  /** The lowest role that may read it. */
  readonly role?: Role;
}

const SECTIONS: Readonly<Record<Exclude<Section, 'settings'>, SectionPage>> = {
  home: { label: 'Home', path: '' },
  inbox: { label: 'Inbox', path: '/inbox' },
  findings: { label: 'Findings', path: '/findings' },
  imports: { label: 'Imports', path: '/imports', within: 'findings' },
  assets: { label: 'Assets', path: '/assets' },
  domains: { label: 'Domains', path: '/domains', within: 'assets' },
  beacons: { label: 'Beacons', path: '/beacons', within: 'assets' },
  scans: { label: 'Scans', path: '/scans' },
  schedules: { label: 'Schedules', path: '/schedules', within: 'scans', role: 'member' },
  events: { label: 'Events', path: '/events' },
  reports: { label: 'Reports', path: '/reports' },
  activity: { label: 'Activity', path: '/activity', within: 'settings' },
  audit: { label: 'Audit log', path: '/audit', within: 'settings', role: 'admin' },
};

/** They have their tabs on pages of their own: those of findings are statuses, and settings list their pages themselves. */
const WITH_OWN_TABS: ReadonlySet<Section> = new Set(['findings', 'settings']);

export interface SectionLink {
  readonly section: Section;
  readonly label: string;
  readonly href: string;
  /** The section of the sidebar. */
  readonly above: SidebarSection;
}

const SETTINGS: SectionLink = { section: 'settings', label: 'Settings', href: '/settings/api', above: 'settings' };

/** All sections that the caller may read, in the order of the sidebar. */
export function sectionLinks(caller: Caller, organizationId: number | undefined): SectionLink[] {
  if (organizationId === undefined) return [SETTINGS];
  const links = Object.entries(SECTIONS)
    .filter(([, { role = 'viewer' }]) => caller.hasRole(role, organizationId))
    .map(([name, { label, path, within }]) => {
      const section = name as Section;
      return { section, label, href: homeUrl(organizationId) + path, above: within ?? (name as SidebarSection) };
    });
  return [...links, SETTINGS];
}

export const sidebarLinks = (links: readonly SectionLink[]): SectionLink[] =>
  links.filter(({ section, above }) => section === above);

/** The other lists of the section, if this is a list of a section that has several. */
export function tabsBeside(links: readonly SectionLink[], section: Section | undefined, title: string): SectionLink[] {
  const shown = links.find((one) => one.section === section);
  if (shown === undefined || shown.label !== title || WITH_OWN_TABS.has(shown.above)) return [];
  const tabs = links.filter(({ above }) => above === shown.above);
  return tabs.length > 1 ? tabs : [];
}
