export const beaconsUrl = (organizationId: number): string => `/o/${organizationId}/beacons`;
