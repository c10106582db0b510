export const BEACON_STATUS = { pending: 0, online: 1, degraded: 2, offline: 3, disabled: 4 } as const;

export type BeaconStatus = (typeof BEACON_STATUS)[keyof typeof BEACON_STATUS];

const TRANSITIONS: Readonly<Record<BeaconStatus, readonly BeaconStatus[]>> = {
  0: [1, 4],
  1: [2, 3, 4],
  2: [1, 3, 4],
  3: [1, 4],
  4: [0, 1, 2, 3],
};

export const beaconStatusVocabulary = Object.entries(BEACON_STATUS).map(([name, number]) => ({
  number,
  name,
  transitions: TRANSITIONS[number],
}));

/** Seconds from one report to the next. */
export const REPORT_INTERVAL = 300;

const OFFLINE_AFTER = 3;

/** A beacon whose last report is older has missed this number of reports. */
const missedSince = (now: Date, reports: number): Date => new Date(now.getTime() - reports * REPORT_INTERVAL * 1000);

export const degradedSince = (now: Date): Date => missedSince(now, 1);
export const offlineSince = (now: Date): Date => missedSince(now, OFFLINE_AFTER);

/** Depends only on the number of missed reports. A beacon that has never reported is pending. */
export function beaconStatusAt(now: Date, lastReport: Date | null, disabled = false): BeaconStatus {
  if (disabled) return BEACON_STATUS.disabled;
  if (lastReport === null) return BEACON_STATUS.pending;
  if (lastReport < offlineSince(now)) return BEACON_STATUS.offline;
  return lastReport < degradedSince(now) ? BEACON_STATUS.degraded : BEACON_STATUS.online;
}
