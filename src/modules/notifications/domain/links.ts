/** Pages of the portal, which modules may not import. A test opens each of them. */
export const portalLinks = (portal: string, organizationId: number) => {
  const home = `${portal}/o/${organizationId}`;
  return {
    home,
    finding: (id: number): string => `${home}/findings/${id}`,
    findings: `${home}/findings`,
    report: (id: number): string => `${home}/reports/${id}`,
    reports: `${home}/reports`,
    channel: (id: number): string => `${home}/channels/${id}`,
    settings: `${home}/settings/notifications`,
    unsubscribe: (token: string): string => `${portal}/unsubscribe/${token}`,
  };
};

export type PortalLinks = ReturnType<typeof portalLinks>;
