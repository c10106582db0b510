import type { VNode } from 'preact';
import type { BaselineView } from '../../modules/retests';
import { Card } from '../frame/card';
import { Field, Form, Select } from '../frame/form';
import { Time } from '../frame/time';
import { pluralize } from '../frame/words';
import { findingUrl } from '../urls';

export interface BaselinePageProps {
  readonly organizationId: number;
  readonly findingId: number;
  readonly view: BaselineView;
  readonly mayDecide: boolean;
}

type ShownPage = NonNullable<BaselineView['stored']>;

const ROWS: readonly (readonly [label: string, value: (page: ShownPage) => string | null])[] = [
  ['Status', ({ status }) => String(status)],
  ['Title', ({ title }) => title],
  ['Server', ({ server }) => server],
  ['Redirects to', ({ redirect }) => redirect],
  ['Certificate', ({ certificate }) => certificate && `${certificate.subject}, ${certificate.sha256}`],
  ['Text', ({ text }) => text],
];

/** Everything is text of the target, which is escaped and never rendered. */
const Cell = ({ page, value }: { page: ShownPage | null; value: (page: ShownPage) => string | null }): VNode => (
  <td dir="auto">{page === null ? '' : (value(page) ?? <span class="muted">none</span>)}</td>
);

type RefusalFacts = NonNullable<BaselineView['refusal']>['refusal'];

const Refused = ({ refusal: { path, status, twin, twinStatus } }: { refusal: RefusalFacts }): VNode => (
  <>
    <code dir="ltr">{path}</code> gets {status}, while <code dir="ltr">{twin}</code>, which cannot have the weakness,
    gets {twinStatus}.
  </>
);

/** What refused the last retest, and who has confirmed that it is the fix. */
function Refusal({ organizationId, findingId, view, mayDecide }: BaselinePageProps): VNode | null {
  const { refusal, confirmedRefusal } = view;
  if (refusal === null && confirmedRefusal === null) return null;
  const others = refusal?.alike ?? [];
  return (
    <Card id="refusal" title="The refusal" class="narrow-left">
      {confirmedRefusal !== null && (
        <p>
          User {confirmedRefusal.by} confirmed <Time at={confirmedRefusal.at} /> that a refusal is the fix:{' '}
          <Refused refusal={confirmedRefusal.refusal} /> Retests say “fixed”, by refusal, as long as the page and the
          other path are answered as at that time.
        </p>
      )}
      {refusal !== null && (
        <p>
          In the last retest: <Refused refusal={refusal.refusal} /> This does not show that the weakness is gone.
        </p>
      )}
      {refusal !== null && !mayDecide && <p class="muted">An admin can confirm that the refusal is the fix.</p>}
      {refusal !== null && mayDecide && (
        <Form action={`${findingUrl(organizationId, findingId)}/baseline/refusal`}>
          <input type="hidden" name="retest" value={refusal.retest} />
          <Field name="reason" label="Why this refusal is the fix" input={{ maxLength: 2000 }} />
          {others.length > 0 && (
            <Select
              name="applies_to"
              label="For"
              options={[
                { value: 'finding', label: 'this finding' },
                {
                  value: 'origin',
                  label: `this and ${pluralize(others.length, 'other finding')} of the site, refused in the same way`,
                },
              ]}
            />
          )}
          <button class="primary">Confirm the refusal as the fix</button>
        </Form>
      )}
    </Card>
  );
}

export const BaselinePage = (props: BaselinePageProps): VNode => {
  const { organizationId, findingId, view, mayDecide } = props;
  const { stored, taken, confirmed, current, retest } = view;
  const url = findingUrl(organizationId, findingId);
  return (
    <div class="stack">
      <p>
        <a href={url}>Back to the finding</a>
      </p>
      <Refusal {...props} />
      <Card id="baseline" title="The site of this finding">
        {confirmed !== null && (
          <p>
            User {confirmed.by} confirmed the baseline <Time at={confirmed.at} />. Retests can say “fixed” from{' '}
            <Time at={confirmed.countsFrom} />.
          </p>
        )}
        {stored === null && current === null && <p>Retests of this finding compare no page.</p>}
        {(stored !== null || current !== null) && (
          <table>
            <thead>
              <tr>
                <th scope="col">Page</th>
                <th scope="col">In the baseline{taken !== null && [', ', <Time at={taken} />]}</th>
                {current !== null && <th scope="col">In the last retest</th>}
              </tr>
            </thead>
            <tbody>
              {ROWS.map(([label, value]) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  <Cell page={stored} value={value} />
                  {current !== null && <Cell page={current} value={value} />}
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {current === null && <p class="muted">The last retest saw no new site that can be confirmed.</p>}
        {current !== null && !mayDecide && <p class="muted">An admin can confirm that both are the same site.</p>}
        {current !== null && mayDecide && retest !== null && (
          <Form action={`${url}/baseline`}>
            <input type="hidden" name="retest" value={retest} />
            <p>
              Confirm only if both are the same site. All findings of its origin are then compared with the page on the
              right, and retests can say “fixed” after an hour.
            </p>
            <button class="primary">Confirm the new site</button>
          </Form>
        )}
      </Card>
    </div>
  );
};
