/** How large everything is, for so many findings. */
export interface Shape {
  readonly findings: number;
  readonly organizations: number;
  readonly eventsEach: number;
  readonly assetsEach: number;
  /** Entries of the audit log: most are the first organization's, whose log is read. */
  readonly auditEntries: number;
}

export const shapeOf = (findings: number): Shape => ({
  findings,
  organizations: Math.min(200, Math.max(20, Math.round(findings / 10_000))),
  eventsEach: 8,
  assetsEach: 100,
  auditEntries: Math.min(2_200_000, 2 * findings),
});

/** Ids are chosen here and not by the database, so that every part of the data set can be made by itself. */
export const organizationAt = (place: number): number => place + 1;
export const eventAt = ({ eventsEach }: Shape, organization: number, place: number): number =>
  organization * eventsEach + place + 1;
export const assetAt = ({ assetsEach }: Shape, organization: number, place: number): number =>
  organization * assetsEach + place + 1;
export const slugOf = (eventId: number): string => `event-${eventId}`;
