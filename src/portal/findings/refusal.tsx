import type { VNode } from 'preact';
import type { BaselineView, ShownConfirmation } from '../../modules/retests';
import { Form, Select, TextArea } from '../frame/form';
import { Person } from '../frame/person';
import { Time } from '../frame/time';
import { pluralize } from '../frame/words';
import { findingUrl, membersUrl, refusalUrl } from '../urls';

export const CONFIRM_REFUSAL = 'Confirm that this refusal is the fix';

type RefusalFacts = ShownConfirmation['refusal'];

/** Everything is text of the target, which is escaped and never rendered. */
const Refused = ({ refusal: { path, status, twin, twinStatus } }: { refusal: RefusalFacts }): VNode => (
  <>
    <code dir="ltr">{path}</code> gets {status}, while <code dir="ltr">{twin}</code>, which cannot have the weakness,
    gets {twinStatus}.
  </>
);

interface ConfirmedRefusalProps {
  readonly confirmed: ShownConfirmation;
  /** The names of users, by id. */
  readonly people: ReadonlyMap<number, string>;
}

/** Who says so, why, and how long it counts. */
export const ConfirmedRefusal = ({ confirmed, people }: ConfirmedRefusalProps): VNode => (
  <>
    <p>
      <Person id={confirmed.by} name={people.get(confirmed.by)} /> confirmed <Time at={confirmed.at} /> that this
      refusal is the fix: <Refused refusal={confirmed.refusal} />
    </p>
    {confirmed.reason !== null && (
      <p dir="auto">
        <b>Why:</b> {confirmed.reason}
      </p>
    )}
    <p>Retests say “fixed by refusal” as long as the page and both requests are answered as at that time.</p>
  </>
);

const WhoConfirms = ({ organizationId }: { organizationId: number }): VNode => (
  <p class="muted">
    An admin can confirm that this refusal is the fix. <a href={membersUrl(organizationId)}>Show who is an admin</a>
  </p>
);

export interface RefusalProps {
  readonly organizationId: number;
  readonly findingId: number;
  readonly view: BaselineView;
  readonly people: ReadonlyMap<number, string>;
  readonly mayDecide: boolean;
}

/** On the page of the finding. */
export const OfferedRefusal = ({
  organizationId,
  findingId,
  mayDecide,
}: Omit<RefusalProps, 'view' | 'people'>): VNode => (
  <>
    {!mayDecide && <WhoConfirms organizationId={organizationId} />}
    <p>
      <a class={mayDecide ? 'button' : undefined} href={refusalUrl(organizationId, findingId)}>
        {mayDecide ? CONFIRM_REFUSAL : 'Show what was refused'}
      </a>
    </p>
  </>
);

/** What refused the last retest, and who has confirmed that it is the fix, or the form to do that. */
export function RefusalPage({ organizationId, findingId, view, people, mayDecide }: RefusalProps): VNode {
  const { refusal, confirmedRefusal } = view;
  return (
    <div class="settings">
      {confirmedRefusal !== null && <ConfirmedRefusal confirmed={confirmedRefusal} people={people} />}
      {refusal === null && confirmedRefusal === null && (
        <p>
          The last retest was not refused, so that there is nothing to confirm.{' '}
          <a href={findingUrl(organizationId, findingId)}>Show the finding</a>
        </p>
      )}
      {refusal !== null && (
        <>
          <p>
            In the last retest: <Refused refusal={refusal.refusal} />
          </p>
          <p>
            This does not show that the weakness is gone: it may still be there behind the refusal. Confirm it only if
            the refusal is how the weakness was fixed.
          </p>
          {mayDecide ? (
            <ConfirmForm {...{ organizationId, findingId, refusal }} />
          ) : (
            <WhoConfirms organizationId={organizationId} />
          )}
        </>
      )}
    </div>
  );
}

function ConfirmForm({
  organizationId,
  findingId,
  refusal: { retest, alike },
}: Pick<RefusalProps, 'organizationId' | 'findingId'> & {
  readonly refusal: NonNullable<BaselineView['refusal']>;
}): VNode {
  const scopes = [
    { value: 'finding', label: 'This finding' },
    { value: 'origin', label: `All findings of this origin refused alike (${alike.length + 1})` },
  ];
  return (
    <Form action={refusalUrl(organizationId, findingId)} class="form">
      <input type="hidden" name="retest" value={retest} />
      <TextArea name="reason" label="Why this refusal is the fix" maxLength={2000} required />
      {alike.length > 0 && (
        <>
          <Select name="applies_to" label="For" options={scopes} />
          <details class="field">
            <summary>{pluralize(alike.length, 'other finding')} refused alike</summary>
            <ul class="links">
              {alike.map((id) => (
                <li key={id}>
                  <a href={findingUrl(organizationId, id)}>Finding {id}</a>
                </li>
              ))}
            </ul>
          </details>
        </>
      )}
      <button class="primary">{CONFIRM_REFUSAL}</button>
    </Form>
  );
}
