import type { ComponentChildren, VNode } from 'preact';
import { homeUrl } from '../urls';
import { useView } from './view';

const OWN = [
  ['api', 'API keys', '/settings/api'],
  ['security', 'Security', '/settings/security'],
  ['sessions', 'Sessions', '/settings/sessions'],
] as const;

const OF_ORGANIZATION = [
  ['members', 'Members', '/settings/members'],
  ['findings', 'Findings', '/settings/findings'],
  ['notifications', 'Notifications', '/settings/notifications'],
  ['webhooks', 'Webhooks', '/webhooks'],
  ['organization', 'Organization', '/settings/organization'],
] as const;

export type SettingsTab = (typeof OWN)[number][0] | (typeof OF_ORGANIZATION)[number][0];

interface SettingsProps {
  readonly current: SettingsTab;
  readonly children: ComponentChildren;
}

/** The row of tabs of all settings, and the page of one of them. */
export function Settings({ current, children }: SettingsProps): VNode {
  const { caller, organization } = useView();
  const tabs = [
    ...OWN,
    ...(organization === undefined
      ? []
      : OF_ORGANIZATION.filter(([tab]) => tab !== 'webhooks' || caller?.hasRole('admin', organization.id)).map(
          ([tab, label, path]) => [tab, label, `${homeUrl(organization.id)}${path}`] as const,
        )),
  ];
  return (
    <>
      <nav class="tabs" aria-label="Settings">
        {tabs.map(([tab, label, href]) => (
          <a key={tab} href={href} aria-current={tab === current ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <div class="settings">{children}</div>
    </>
  );
}
