import type { ComponentChildren, VNode } from 'preact';
import type { Role } from '../../kernel/role';
import type { Caller } from '../../platform/api/caller';
import { homeUrl } from '../urls';
import { Tabs } from './tabs';
import { useView } from './view';

const OWN = [
  ['api', 'API keys', '/settings/api'],
  ['security', 'Security', '/settings/security'],
  ['sessions', 'Sessions', '/settings/sessions'],
] as const;

const OF_ORGANIZATION = [
  ['members', 'Members', '/settings/members'],
  ['access', 'Access', '/settings/access'],
  ['findings', 'Findings', '/settings/findings'],
  ['approvals', 'Approvals', '/approvals'],
  ['notifications', 'Notifications', '/settings/notifications'],
  ['webhooks', 'Webhooks', '/webhooks'],
  ['trackers', 'Trackers', '/trackers'],
  ['single-sign-on', 'Single sign-on', '/settings/single-sign-on'],
  ['organization', 'Organization', '/settings/organization'],
  ['activity', 'Activity', '/activity'],
  ['audit', 'Audit log', '/audit'],
] as const;

/** Those who may not read a page have no tab for it. */
const NEEDED_ROLES: ReadonlyMap<string, Role> = new Map([
  ['access', 'owner'],
  ['single-sign-on', 'owner'],
  ['webhooks', 'admin'],
  ['trackers', 'admin'],
  ['audit', 'admin'],
]);

export type SettingsTab = (typeof OWN)[number][0] | (typeof OF_ORGANIZATION)[number][0];

interface SettingsProps {
  readonly current: SettingsTab;
  readonly children: ComponentChildren;
}

/** The pages of settings, those of an organization only in one. */
export const settingsLinks = (caller: Caller | undefined, organizationId: number | undefined) => [
  ...OWN.filter(([tab]) => tab === 'api' || !caller?.isOfProvider),
  ...(organizationId === undefined
    ? []
    : OF_ORGANIZATION.filter(([tab]) => caller?.hasRole(NEEDED_ROLES.get(tab) ?? 'viewer', organizationId)).map(
        ([tab, label, path]) => [tab, label, `${homeUrl(organizationId)}${path}`] as const,
      )),
];

/** The row of tabs of all settings. */
export function SettingsTabs({ current }: Pick<SettingsProps, 'current'>): VNode {
  const { caller, organization } = useView();
  const tabs = settingsLinks(caller, organization?.id);
  return (
    <Tabs name="Settings" tabs={tabs.map(([tab, label, href]) => ({ label, href, isCurrent: tab === current }))} />
  );
}

/** The tabs, and the page of one of them. */
export const Settings = ({ current, children }: SettingsProps): VNode => (
  <>
    <SettingsTabs current={current} />
    <div class="settings">{children}</div>
  </>
);
