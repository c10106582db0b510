import type { VNode } from 'preact';
import type { AcceptedCheckOnManyView } from '../../modules/assets';
import { MAX_SLA_DAYS, type Sla, SLA_SEVERITIES } from '../../modules/findings';
import { MAX_SECOND_LOOK_HOURS } from '../../modules/retests';
import { Card } from '../frame/card';
import { Fact } from '../frame/fact';
import { Checkbox, Field, Form } from '../frame/form';
import { Settings } from '../frame/settings-tabs';
import { labelOf, pluralize } from '../frame/words';
import { slaUrl, templatesUrl } from '../urls';
import { AcceptedOnMany } from './accepted-on-many';

interface SlaPageProps {
  readonly organizationId: number;
  readonly sla: Sla;
  /** After how many hours fixed findings are looked at again; null for never. */
  readonly secondLookHours: number | null;
  readonly acceptance: { readonly acceptanceNeedsComment: boolean; readonly acceptanceNeedsEnd: boolean };
  readonly refusalsCountAsFixed: boolean;
  readonly acceptedOnMany: readonly AcceptedCheckOnManyView[];
  readonly mayChange: boolean;
  readonly isOwner: boolean;
}

const EXPLANATION =
  'A finding is due this many days after it was recorded. Critical applies to cosmic findings as well, the severity above it; findings of the severities info and none have no due date.';

const SECOND_LOOK =
  'When a retest says that a finding is fixed, its check runs once more some hours later: blocks and rollbacks may have ended by then. If it sees the weakness, the finding is open again. Human events have this only if an admin turns it on there.';

const REFUSALS =
  'If the site refuses the tested request alone, a retest says “blocked”: the weakness may still be behind the refusal. With this setting, a retest says “fixed”, by refusal, if the refusal is a 401, 403, 404, 410 or 451 of the site’s own server. Refusals by firewalls, rate limits, outages and sign-in pages never count.';

/** In how many days findings are to be fixed: a form for admins, a list for others. */
export const SlaPage = (props: SlaPageProps): VNode => {
  const { organizationId, sla, secondLookHours, acceptance, mayChange } = props;
  return (
    <Settings current="findings">
      <Card id="sla" title="Days to fix a finding" class="narrow-left">
        <p>{EXPLANATION}</p>
        {mayChange ? <SlaForm {...{ organizationId, sla }} /> : <SlaList sla={sla} />}
      </Card>
      <Card id="look" title="Second look at fixed findings" class="narrow-left">
        <p>{SECOND_LOOK}</p>
        {mayChange ? (
          <SecondLookForm {...{ organizationId, secondLookHours }} />
        ) : (
          <p>{secondLookHours === null ? 'Turned off' : `After ${pluralize(secondLookHours, 'hour')}`}</p>
        )}
      </Card>
      <Card id="refusals" title="Refusals" class="narrow-left">
        <p>{REFUSALS}</p>
        {props.isOwner ? (
          <Form action={`${slaUrl(organizationId)}/refusals`}>
            <Checkbox name="count" label="Refusals count as fixed" checked={props.refusalsCountAsFixed} />
            <button>Save</button>
          </Form>
        ) : (
          <p>
            {props.refusalsCountAsFixed ? 'Refusals count as fixed.' : 'Refusals do not count as fixed.'} Owners can
            change this.
          </p>
        )}
      </Card>
      <Card id="acceptance" title="Accepted risks" class="narrow-left">
        <p>What setting a finding to “Risk accepted” requires. Risks that are accepted already stay as they are.</p>
        {mayChange ? (
          <Form action={`${slaUrl(organizationId)}/acceptance`}>
            <Checkbox name="comment" label="A comment that says why" checked={acceptance.acceptanceNeedsComment} />
            <Checkbox name="until" label="The last day of the acceptance" checked={acceptance.acceptanceNeedsEnd} />
            <button>Save</button>
          </Form>
        ) : (
          <p>
            Comment: {acceptance.acceptanceNeedsComment ? 'required' : 'optional'}. Last day:{' '}
            {acceptance.acceptanceNeedsEnd ? 'required' : 'optional'}.
          </p>
        )}
      </Card>
      <AcceptedOnMany {...{ organizationId, acceptedOnMany: props.acceptedOnMany, mayChange }} />
      <Card id="templates" title="Templates" class="narrow-left">
        <p>Texts that a finding begins with when a person records it.</p>
        <a href={templatesUrl(organizationId)}>Templates of findings</a>
      </Card>
    </Settings>
  );
};

const SecondLookForm = ({
  organizationId,
  secondLookHours,
}: Pick<SlaPageProps, 'organizationId' | 'secondLookHours'>): VNode => (
  <Form action={`${slaUrl(organizationId)}/second-look`}>
    <Field
      name="hours"
      label="Hours after the retest"
      input={{
        type: 'number',
        min: 1,
        max: MAX_SECOND_LOOK_HOURS,
        value: secondLookHours ?? '',
        required: false,
        inputMode: 'numeric',
      }}
    />
    <p>An empty field turns it off. Looks that are planned already keep their time.</p>
    <button>Save</button>
  </Form>
);

const SlaForm = ({ organizationId, sla }: Pick<SlaPageProps, 'organizationId' | 'sla'>): VNode => (
  <Form action={slaUrl(organizationId)}>
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
    <button class="primary">Save</button>
  </Form>
);

const SlaList = ({ sla }: Pick<SlaPageProps, 'sla'>): VNode => (
  <>
    <dl class="facts">
      {SLA_SEVERITIES.map((severity) => (
        <Fact key={severity} label={labelOf(severity)}>
          {daysText(sla[severity])}
        </Fact>
      ))}
    </dl>
    <p class="muted">Admins of the organization can change this.</p>
  </>
);

const daysText = (days: number | null): string => (days === null ? 'No due date' : pluralize(days, 'day'));
