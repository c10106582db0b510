/** The size of a data set. */
export interface Shape {
  readonly findings: number;
  readonly organizations: number;
  readonly eventsEach: number;
  readonly assetsEach: number;
  readonly jobsEach: number;
  /** Audit entries, most of them in the first organization. */
  readonly auditEntries: number;
}

export const shapeOf = (findings: number): Shape => ({
  findings,
  organizations: Math.min(200, Math.max(20, Math.round(findings / 10_000))),
  eventsEach: 8,
  assetsEach: 100,
  jobsEach: 200,
  auditEntries: Math.min(2_200_000, 2 * findings),
});

/** Ids are computed, so that each table can be generated independently. */
export const organizationAt = (place: number): number => place + 1;
export const eventAt = ({ eventsEach }: Shape, organization: number, place: number): number =>
  organization * eventsEach + place + 1;
export const assetAt = ({ assetsEach }: Shape, organization: number, place: number): number =>
  organization * assetsEach + place + 1;
export const slugOf = (eventId: number): string => `event-${eventId}`;
