import type { VNode } from 'preact';
import { Form } from '../frame/form';
import { endChecklistUrl, turnOnObservationUrl } from '../urls';
import type { Checklist } from './checklist-reader';

/** The first steps of an organization. It is gone when they are done. */
export const ChecklistPart = ({
  organizationId,
  checklist: { steps, mayEnd },
}: {
  organizationId: number;
  checklist: Checklist;
}): VNode | null =>
  steps.length === 0 ? null : (
    <section class="checklist" aria-labelledby="checklist-title">
      <h2 id="checklist-title">
        First steps{' '}
        <span class="muted">
          {steps.filter(({ isDone }) => isDone).length} of {steps.length}
        </span>
      </h2>
      <ol class="plain">
        {steps.map(({ text, href, isDone }) => (
          <li key={text} class={isDone ? 'done' : undefined}>
            {isDone ? (
              <>
                {text}
                <span class="visually-hidden">, done</span>
              </>
            ) : (
              <a href={href}>{text}</a>
            )}
          </li>
        ))}
      </ol>
      {mayEnd && (
        <Form action={endChecklistUrl(organizationId)}>
          <button class="quiet">Hide these steps for everyone</button>
        </Form>
      )}
    </section>
  );

/** For admins of an organization that exists for longer than observations. */
export const TurnOnObservation = ({ organizationId }: { organizationId: number }): VNode => (
  <section class="checklist" aria-labelledby="observation-title">
    <h2 id="observation-title">Observation is off</h2>
    <p>
      Assay can look at your assets daily, and show their hosts, ports and services, and what has changed. The first
      round takes a week. Each beacon has a setting of its own.
    </p>
    <Form action={turnOnObservationUrl(organizationId)}>
      <button class="primary">Turn on observation</button>
    </Form>
  </section>
);
