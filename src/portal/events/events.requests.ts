import { IsNumber, Max, Min } from 'class-validator';
import { dayOf } from '../../kernel/day';
import { parseWindows } from '../../kernel/opening-windows';
import { TEST_DEPTHS, type TestDepth } from '../../kernel/test-depth';
import { ChangeEventRequest, changeOfEvent, type Event, type EventChange } from '../../modules/events';
import { AccountIds } from '../scans/account-choices';
import { field, Flag, Integer, OneOf, TextWithRule } from '../../platform/http/fields';

export class SecondLooksForm {
  @OneOf(['on', 'off'])
  enabled!: 'on' | 'off';
}

/** An empty field removes the value. A day that stays the same is no change, because the event may start within it. */
export function changeOfForm(form: ChangeEventRequest, event: Event): EventChange {
  const { name, dimension = null, dimension_type = null, latitude = null, longitude = null } = form;
  const place = { dimension, dimension_type, latitude, longitude };
  return changeOfEvent({
    name,
    ...place,
    start_date: changedDay(form.start_date, event.startDate),
    end_date: changedDay(form.end_date, event.endDate),
  });
}

const changedDay = (day: Date | undefined, now: Date): Date | undefined =>
  day === undefined || dayOf(day) === dayOf(now) ? undefined : day;

const windowsIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** An empty field means the default. */
export class AutomationForm {
  @Flag({ optional: true })
  automatic?: boolean;

  @Integer(1, 720, { nullable: true })
  every_hours?: number | null;

  @TextWithRule((text) => parseWindows(windowsIn(text)), { maxLength: 1_100 }, { nullable: true })
  windows?: string | null;

  @field(
    {
      validators: [(message) => IsNumber({}, message), (message) => Min(0.1, message), (message) => Max(100, message)],
      sentence: 'must be a number from 0.1 to 100',
      schema: { type: 'number' },
      parse: (text) => (/^\d{1,3}(\.\d{1,3})?$/.test(text) ? Number(text) : text),
    },
    { nullable: true },
  )
  requests_per_second?: number | null;

  @Integer(1, 20, { nullable: true })
  parallel_targets?: number | null;

  @OneOf(TEST_DEPTHS, { nullable: true })
  depth?: TestDepth | null;

  @AccountIds()
  accounts?: number[] | null;

  @Flag({ optional: true })
  report_at_end?: boolean;

  get change(): EventChange {
    const windows = windowsIn(this.windows ?? '');
    return changeOfEvent({
      automatic: this.automatic ?? false,
      every_hours: this.every_hours ?? null,
      windows: windows.length > 0 ? windows : null,
      requests_per_second: this.requests_per_second ?? null,
      parallel_targets: this.parallel_targets ?? null,
      depth: this.depth ?? null,
      accounts: this.accounts ?? null,
      report_at_end: this.report_at_end ?? false,
    });
  }
}
