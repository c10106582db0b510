export const assetsUrl = (organizationId: number): string => `/o/${organizationId}/assets`;

export const assetUrl = (organizationId: number, assetId: number): string => `${assetsUrl(organizationId)}/${assetId}`;
