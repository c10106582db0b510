import { invalid } from '../../../kernel/domain-error';

export interface ReportPeriod {
  readonly startDate: Date;
  readonly endDate: Date;
}

/** What is said of a period; null for that of the event. */
export type RequestedPeriod = { readonly [bound in keyof ReportPeriod]: Date | null };

/** Both bounds belong to it. What nobody states is that of the event. */
export const periodOf = (stated: RequestedPeriod, event: ReportPeriod): ReportPeriod =>
  requireStartBeforeEnd({ startDate: stated.startDate ?? event.startDate, endDate: stated.endDate ?? event.endDate });

export function requireStartBeforeEnd<Period extends RequestedPeriod>(period: Period): Period {
  const { startDate, endDate } = period;
  if (startDate === null || endDate === null || startDate < endDate) return period;
  throw invalid('start_date must be before end_date; by default they are those of the event.');
}
