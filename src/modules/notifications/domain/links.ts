export const RECORD_TYPES = ['finding', 'report', 'job', 'event', 'asset'] as const;

/** The record of a notice. The id is that of its page. */
export interface NotifiedRecord {
  readonly type: (typeof RECORD_TYPES)[number];
  readonly id: string;
  readonly title: string;
}

const FOLDERS = { finding: 'findings', report: 'reports', job: 'scans', event: 'events', asset: 'assets' } as const;

/** Pages of the portal, which modules may not import. A test opens each of them. */
export const portalLinks = (portal: string, organizationId: number) => {
  const home = `${portal}/o/${organizationId}`;
  return {
    home,
    finding: (id: number): string => `${home}/findings/${id}`,
    findings: `${home}/findings`,
    record: ({ type, id }: Pick<NotifiedRecord, 'type' | 'id'>): string => `${home}/${FOLDERS[type]}/${id}`,
    channel: (id: number): string => `${home}/channels/${id}`,
    settings: `${home}/settings/notifications`,
    unsubscribe: (token: string): string => `${portal}/unsubscribe/${token}`,
  };
};

export type PortalLinks = ReturnType<typeof portalLinks>;
