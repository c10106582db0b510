export const importsUrl = (organizationId: number): string => `/o/${organizationId}/imports`;

export const importUrl = (organizationId: number, importId: number): string =>
  `${importsUrl(organizationId)}/${importId}`;

/** The form with the file of a scanner is sent to this path. */
export const IMPORTS_PATH = /^\/o\/\d+\/imports$/;
