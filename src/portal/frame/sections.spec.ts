import type { Role } from '../../kernel/role';
import type { Caller } from '../../platform/api/caller';
import { sectionLinks, sidebarLinks, tabsBeside } from './sections';

const ROLES: readonly Role[] = ['viewer', 'member', 'admin', 'owner'];

/** Only what the sections ask for. */
const callerWith = (role: Role): Caller =>
  ({ hasRole: (needed: Role) => ROLES.indexOf(role) >= ROLES.indexOf(needed) }) as unknown as Caller;

const labels = (links: readonly { readonly label: string }[]): string[] => links.map(({ label }) => label);

describe('the sidebar', () => {
  it('has at most eight entries for every role, and only settings without an organization', () => {
    for (const role of ROLES)
      expect(labels(sidebarLinks(sectionLinks(callerWith(role), 1)))).toEqual([
        'Home',
        'Inbox',
        'Findings',
        'Assets',
        'Scans',
        'Events',
        'Reports',
        'Settings',
      ]);
    expect(labels(sidebarLinks(sectionLinks(callerWith('owner'), undefined)))).toEqual(['Settings']);
  });
});

describe('a list of a section', () => {
  const links = (role: Role) => sectionLinks(callerWith(role), 1);

  it('has the other lists of its section as tabs, if the caller may read them', () => {
    expect(labels(tabsBeside(links('viewer'), 'domains', 'Domains'))).toEqual(['Assets', 'Domains', 'Beacons']);
    expect(labels(tabsBeside(links('member'), 'scans', 'Scans'))).toEqual(['Scans', 'Schedules']);
    expect(tabsBeside(links('viewer'), 'scans', 'Scans')).toEqual([]);
  });

  it('has none on the page of a record, and on pages with tabs of their own', () => {
    expect(tabsBeside(links('owner'), 'assets', 'shop.example.com')).toEqual([]);
    expect(tabsBeside(links('owner'), 'findings', 'Findings')).toEqual([]);
    expect(tabsBeside(links('owner'), 'audit', 'Audit log')).toEqual([]);
    expect(tabsBeside(links('owner'), undefined, 'Domains')).toEqual([]);
  });
});
