import type { VNode } from 'preact';
import { reportVocabulary } from '../../modules/reports';
import { TARGETS, WHATS } from '../../modules/schedules';
import { Card } from '../frame/card';
import { Field, Form, FormError, Select, TextArea } from '../frame/form';
import { Advanced, OfChoice } from '../frame/form-parts';
import { Time } from '../frame/time';
import { useView } from '../frame/view';
import { labelOf } from '../frame/words';
import { AccountChoices } from '../scans/account-choices';
import { DepthSelect } from '../scans/depth-select';
import { newScheduleUrl, schedulesUrl } from '../urls';
import type { ScheduleChoices, SchedulePreview } from './schedule-reader';
import { TIMING_NAMES, TIMINGS } from './schedule-timings';
import { WHAT_NAMES } from './schedule-words';
import type { ScheduleQuery } from './schedules.requests';

interface FieldsProps {
  readonly choices: ScheduleChoices;
  readonly form?: ScheduleQuery;
}

const optional = { required: false } as const;

export const ScheduleFields = ({ choices: { events, accounts }, form = {} }: FieldsProps): VNode => (
  <>
    <Field name="name" label="Name" input={{ value: form.name, maxLength: 200 }} />
    <Select
      name="what"
      label="What"
      options={WHATS.map((value) => ({ value, label: WHAT_NAMES[value] }))}
      value={form.what}
    />
    <OfChoice name="what" values={['resolved_retest']}>
      <Field
        name="resolved_days"
        label="Days after the fix"
        hint="For retests of fixed findings."
        input={{ ...optional, type: 'number', min: 1, max: 365, value: form.resolved_days ?? '' }}
      />
    </OfChoice>
    <OfChoice name="what" values={['report']}>
      <Select
        name="report_format"
        label="Format of a report"
        options={reportVocabulary.formats.map((value) => ({ value, label: value }))}
        value={form.report_format}
      />
    </OfChoice>
    <Select
      name="on"
      label="On what"
      options={TARGETS.map((value) => ({ value, label: labelOf(value) }))}
      value={form.on ?? 'all'}
    />
    <OfChoice name="on" values={['asset']}>
      <Field name="asset" label="Asset" input={{ ...optional, value: form.asset ?? '' }} />
    </OfChoice>
    <OfChoice name="on" values={['label']}>
      <Field name="label" label="Label" hint="Of the assets." input={{ ...optional, value: form.label ?? '' }} />
    </OfChoice>
    <OfChoice name="on" values={['event']}>
      <Select
        name="event_slug"
        label="Event"
        options={[{ value: '', label: 'None' }, ...events.map(({ slug, name }) => ({ value: slug, label: name }))]}
        value={form.event_slug}
      />
    </OfChoice>
    <WhenFields form={form} />
    <Advanced
      isOpen={[form.checks, form.windows, form.depth, form.accounts?.length, form.jitter_minutes].some(Boolean)}
    >
      <OfChoice name="what" values={['job']}>
        <Field
          name="checks"
          label="Checks of a scan"
          hint="Ids or tags with commas. Empty for all built-in checks."
          input={{ ...optional, value: form.checks ?? '' }}
        />
        <DepthSelect label="Depth of a scan" value={form.depth} />
        <AccountChoices accounts={accounts} values={form.accounts} />
      </OfChoice>
      <Field
        name="jitter_minutes"
        label="At most so many minutes later"
        input={{ ...optional, type: 'number', min: 0, max: 720, value: form.jitter_minutes ?? 0 }}
      />
      <TextArea
        name="windows"
        label="Windows"
        hint="Nothing is sent outside of them. One in each line, such as Mo-Fr 20:00-06:00 Europe/Lisbon. Empty for any time."
        value={form.windows}
      />
    </Advanced>
  </>
);

function WhenFields({ form }: { form: ScheduleQuery }): VNode {
  const { timeZone } = useView();
  return (
    <>
      <Select
        name="when"
        label="When"
        options={TIMINGS.map((value) => ({ value, label: TIMING_NAMES[value] }))}
        value={form.when}
      />
      <OfChoice name="when" values={['hours']}>
        <Field
          name="every_hours"
          label="Every so many hours"
          input={{ ...optional, type: 'number', min: 1, max: 720, value: form.every_hours ?? '' }}
        />
      </OfChoice>
      <OfChoice name="when" values={['cron']}>
        <Field
          name="cron"
          label="Cron expression"
          hint="Minute, hour, day of the month, month, day of the week."
          input={{ ...optional, value: form.cron ?? '', placeholder: '0 3 * * 1-5' }}
        />
      </OfChoice>
      <OfChoice name="when" values={['nightly', 'weekly', 'cron']}>
        <Field name="time_zone" label="Time zone" input={{ ...optional, value: form.time_zone ?? timeZone }} />
      </OfChoice>
    </>
  );
}

interface NewSchedulePageProps {
  readonly choices: ScheduleChoices;
  readonly form: ScheduleQuery;
  readonly preview: SchedulePreview;
}

/** The next runs are shown before it is saved. */
export const NewSchedulePage = ({ choices, form, preview }: NewSchedulePageProps): VNode => (
  <div class="columns">
    <Card id="edit" title="Schedule">
      {'refusal' in preview && <FormError>{preview.refusal}</FormError>}
      <form method="get" action={newScheduleUrl(choices.organizationId)}>
        <ScheduleFields {...{ choices, form }} />
        <button>Show the next runs</button>
      </form>
    </Card>
    {choices.mayChange && 'nextRuns' in preview && preview.nextRuns.length > 0 && (
      <aside>
        <Card id="next" title="Next runs">
          <NextRuns runs={preview.nextRuns} />
          <Form action={schedulesUrl(choices.organizationId)}>
            {Object.entries(form).map(([name, value]) =>
              value == null ? null : <input key={name} type="hidden" name={name} value={String(value)} />,
            )}
            <button class="primary">Create the schedule</button>
          </Form>
        </Card>
      </aside>
    )}
  </div>
);

export const NextRuns = ({ runs }: { runs: readonly Date[] }): VNode => (
  <ol class="plain">
    {runs.map((run) => (
      <li key={run.toISOString()}>
        <Time at={run} />
      </li>
    ))}
  </ol>
);
