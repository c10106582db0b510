export const scansUrl = (organizationId: number): string => `/o/${organizationId}/scans`;

export const scanUrl = (organizationId: number, uuid: string): string => `${scansUrl(organizationId)}/${uuid}`;
