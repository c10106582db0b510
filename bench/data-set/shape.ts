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

/** Of all organizations, so that a data set of thousands of them is loaded in seconds. */
const MAX_ASSETS = 40_000;
const MAX_JOBS = 40_000;

export function shapeOf(findings: number, stated?: number): Shape {
  const organizations = stated ?? Math.min(200, Math.max(20, Math.round(findings / 10_000)));
  return {
    findings,
    organizations,
    eventsEach: 8,
    assetsEach: Math.min(100, Math.ceil(MAX_ASSETS / organizations)),
    jobsEach: Math.min(200, Math.ceil(MAX_JOBS / organizations)),
    auditEntries: Math.min(2_200_000, 2 * findings),
  };
}

/** Ids are computed, so that each table can be generated independently. */
export const organizationAt = (place: number): number => place + 1;
export const eventAt = ({ eventsEach }: Shape, organization: number, place: number): number =>
  organization * eventsEach + place + 1;
export const assetAt = ({ assetsEach }: Shape, organization: number, place: number): number =>
  organization * assetsEach + place + 1;
export const slugOf = (eventId: number): string => `event-${eventId}`;
