import { ResponseField } from '../../../platform/api/response-field';
import type { TargetTotals } from '../domain/target-totals';
import type { EventDay, EventProgress, NotTestable } from '../event-progress.service';

class TargetTotalsResponse {
  @ResponseField.integer({ description: 'Tested, and not due again.' })
  done!: number;

  @ResponseField.integer()
  running!: number;

  @ResponseField.integer()
  waiting!: number;

  @ResponseField.integer()
  not_testable!: number;

  @ResponseField.integer({ description: 'Since midnight in UTC.' })
  tested_today!: number;

  @ResponseField.integer()
  never_tested!: number;
}

class EventFindingTotalsResponse {
  @ResponseField.integer({ description: 'Recorded since the start of the event.' })
  new!: number;

  @ResponseField.integer({ description: 'Fixed since the start of the event.' })
  gone!: number;

  @ResponseField.instant({
    nullable: true,
    description:
      'When they were counted: up to eleven minutes ago with more than 5,000 findings in the event. Null until very many are counted for the first time.',
  })
  counted!: string | null;
}

class EventCapacityResponse {
  @ResponseField.number({ description: 'What one job on each origin takes.' })
  round_hours!: number;

  @ResponseField.number({ description: 'What one worker has for the event on an average day of its windows.' })
  available_hours!: number;

  @ResponseField.string()
  text!: string;
}

class NotTestableResponse {
  @ResponseField.integer()
  asset_id!: number;

  @ResponseField.string()
  asset!: string;

  @ResponseField.string({ nullable: true, description: 'Null for the asset itself, which is observed.' })
  origin!: string | null;

  @ResponseField.string({ description: 'Why, and what to do.' })
  reason!: string;

  @ResponseField.instant({ nullable: true })
  next_try!: string | null;
}

class EventDayResponse {
  @ResponseField.day({ description: 'In UTC.' })
  day!: string;

  @ResponseField.integer({ description: 'Those that ended, with those that people launched.' })
  jobs!: number;

  @ResponseField.integer()
  assets!: number;

  @ResponseField.integer()
  origins!: number;

  @ResponseField.integer()
  requests!: number;

  @ResponseField.integer({ description: 'Jobs that ended in ERROR.' })
  failed!: number;

  @ResponseField.integer()
  new!: number;

  @ResponseField.integer()
  gone!: number;
}

export class EventProgressResponse {
  @ResponseField.string({ nullable: true, description: 'What the event sends by itself. Null if nothing.' })
  sends!: string | null;

  @ResponseField.one(TargetTotalsResponse, { description: 'Those in its scope, which it observes.' })
  assets!: TargetTotalsResponse;

  @ResponseField.one(TargetTotalsResponse, { description: 'Those that were observed, which its jobs test.' })
  origins!: TargetTotalsResponse;

  @ResponseField.one(EventFindingTotalsResponse)
  findings!: EventFindingTotalsResponse;

  @ResponseField.instant({
    nullable: true,
    description:
      'When the next target is due and may be tested. The second round is spread: each target comes after half a period to a whole one, and then every `every_hours`.',
  })
  next_run!: string | null;

  @ResponseField.one(EventCapacityResponse, { nullable: true, description: 'Null if it sends nothing by itself.' })
  capacity!: EventCapacityResponse | null;

  @ResponseField.list(NotTestableResponse, { description: 'The first 100.' })
  not_testable!: readonly NotTestableResponse[];

  @ResponseField.string({ nullable: true, description: 'How many assets of its scope it does not test, and why.' })
  left_out!: string | null;

  @ResponseField.strings({
    description: 'The accounts of the event that sign in at none of its web origins: nothing is tested as them.',
  })
  unmatched_accounts!: string[];

  @ResponseField.list(EventDayResponse, { description: 'Newest first.' })
  days!: readonly EventDayResponse[];
}

const presentTotals = (totals: TargetTotals): TargetTotalsResponse => ({
  done: totals.done,
  running: totals.running,
  waiting: totals.waiting,
  not_testable: totals.notTestable,
  tested_today: totals.testedToday,
  never_tested: totals.neverTested,
});

const presentNotTestable = ({ assetId, asset, origin, reason, dueAt }: NotTestable): NotTestableResponse => ({
  asset_id: assetId,
  asset,
  origin,
  reason,
  next_try: dueAt?.toISOString() ?? null,
});

const presentDay = ({ day, jobs, assets, pages, requests, failed, found, fixed }: EventDay): EventDayResponse => ({
  day,
  jobs,
  assets,
  origins: pages,
  requests,
  failed,
  new: found,
  gone: fixed,
});

export const presentEventProgress = (progress: EventProgress): EventProgressResponse => ({
  sends: progress.sends,
  assets: presentTotals(progress.assets),
  origins: presentTotals(progress.origins),
  findings: { new: progress.found, gone: progress.fixed, counted: progress.counted?.toISOString() ?? null },
  next_run: progress.nextRun?.toISOString() ?? null,
  capacity: progress.capacity && {
    round_hours: progress.capacity.roundHours,
    available_hours: progress.capacity.availableHours,
    text: progress.capacity.text,
  },
  not_testable: progress.notTestable.map(presentNotTestable),
  left_out: progress.leftOut,
  unmatched_accounts: [...progress.unmatchedAccounts],
  days: progress.days.map(presentDay),
});
