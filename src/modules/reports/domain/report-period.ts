import { invalid } from '../../../kernel/domain-error';

export interface ReportPeriod {
  readonly startDate: Date;
  readonly endDate: Date;
}

/** The period that a request states; null for the default. */
export type RequestedPeriod = { readonly [bound in keyof ReportPeriod]: Date | null };

/** Both bounds belong to it. The defaults are those of the subject. */
export const periodOf = (stated: RequestedPeriod, defaults: ReportPeriod): ReportPeriod =>
  requireStartBeforeEnd({
    startDate: stated.startDate ?? defaults.startDate,
    endDate: stated.endDate ?? defaults.endDate,
  });

export function requireStartBeforeEnd<Period extends RequestedPeriod>(period: Period): Period {
  const { startDate, endDate } = period;
  if (startDate === null || endDate === null || startDate < endDate) return period;
  throw invalid(
    'start_date must be before end_date. By default they are those of the event, or the creation of the organization and now.',
  );
}
