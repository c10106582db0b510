export const reportsUrl = (organizationId: number): string => `/o/${organizationId}/reports`;

export const reportUrl = (organizationId: number, reportId: number): string =>
  `${reportsUrl(organizationId)}/${reportId}`;
