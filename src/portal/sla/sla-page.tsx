import type { VNode } from 'preact';
import { MAX_SLA_DAYS, type Sla, SLA_SEVERITIES } from '../../modules/findings';
import { Field, Form } from '../frame/form';
import { Settings } from '../frame/settings-tabs';
import { labelOf, pluralize } from '../frame/words';

interface SlaPageProps {
  readonly organizationId: number;
  readonly sla: Sla;
  readonly mayChange: boolean;
}

const EXPLANATION =
  'A finding is due this many days after it was recorded. Critical applies to cosmic findings as well; findings of the severities info and none have no due date.';

/** In how many days findings are to be fixed: a form for admins, a list for others. */
export const SlaPage = ({ organizationId, sla, mayChange }: SlaPageProps): VNode => (
  <Settings current="findings">
    <section class="card narrow-left" aria-labelledby="sla-title">
      <h2 id="sla-title">Days to fix a finding</h2>
      <p>{EXPLANATION}</p>
      {mayChange ? <SlaForm {...{ organizationId, sla }} /> : <SlaList sla={sla} />}
    </section>
  </Settings>
);

const SlaForm = ({ organizationId, sla }: Pick<SlaPageProps, 'organizationId' | 'sla'>): VNode => (
  <Form action={`/o/${organizationId}/settings/findings`}>
    {SLA_SEVERITIES.map((severity) => (
      <Field
        key={severity}
        name={severity}
        label={`${labelOf(severity)}, in days`}
        input={{
          type: 'number',
          min: 1,
          max: MAX_SLA_DAYS,
          value: sla[severity] ?? '',
          required: false,
          inputMode: 'numeric',
        }}
      />
    ))}
    <p>
      An empty field means no due date. After a change, a worker moves the due dates of open findings, except those that
      a person has set.
    </p>
    <button class="primary compact">Save</button>
  </Form>
);

const SlaList = ({ sla }: Pick<SlaPageProps, 'sla'>): VNode => (
  <>
    <dl class="facts">
      {SLA_SEVERITIES.map((severity) => (
        <div key={severity}>
          <dt>{labelOf(severity)}</dt>
          <dd>{daysText(sla[severity])}</dd>
        </div>
      ))}
    </dl>
    <p class="muted">Admins of the organization can change this.</p>
  </>
);

const daysText = (days: number | null): string => (days === null ? 'No due date' : pluralize(days, 'day'));
