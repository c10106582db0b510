export const eventsUrl = (organizationId: number): string => `/o/${organizationId}/events`;

export const eventUrl = (organizationId: number, slug: string): string => `${eventsUrl(organizationId)}/${slug}`;
