import { invalid } from '../../../kernel/domain-error';

export interface ReportPeriod {
  readonly startDate: Date;
  readonly endDate: Date;
}

/** Both bounds belong to it. What nobody states is that of the event. */
export function periodOf(
  stated: { readonly startDate: Date | null; readonly endDate: Date | null },
  event: ReportPeriod,
): ReportPeriod {
  const period = { startDate: stated.startDate ?? event.startDate, endDate: stated.endDate ?? event.endDate };
  if (period.startDate >= period.endDate) {
    throw invalid('start_date must be before end_date; by default they are those of the event.');
  }
  return period;
}
