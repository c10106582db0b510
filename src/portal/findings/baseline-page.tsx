import type { VNode } from 'preact';
import type { BaselineView } from '../../modules/retests';
import { Card } from '../frame/card';
import { Form } from '../frame/form';
import { Person } from '../frame/person';
import { Time } from '../frame/time';
import { findingUrl, refusalUrl } from '../urls';
import { ConfirmedRefusal, type RefusalProps } from './refusal';

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

/** The rest of it has a page of its own. */
function Refusal({ organizationId, findingId, view, people }: RefusalProps): VNode | null {
  const { refusal, confirmedRefusal } = view;
  if (refusal === null && confirmedRefusal === null) return null;
  return (
    <Card id="refusal" title="The refusal" class="narrow-left">
      {confirmedRefusal !== null && <ConfirmedRefusal confirmed={confirmedRefusal} people={people} />}
      {refusal !== null && (
        <p>
          <a href={refusalUrl(organizationId, findingId)}>Show what was refused in the last retest</a>
        </p>
      )}
    </Card>
  );
}

export const BaselinePage = (props: RefusalProps): VNode => {
  const { organizationId, findingId, view, people, mayDecide } = props;
  const { stored, taken, confirmed, current, retest } = view;
  const url = findingUrl(organizationId, findingId);
  return (
    <div class="stack">
      <Refusal {...props} />
      <Card id="baseline" title="The site of this finding">
        {confirmed !== null && (
          <p>
            <Person id={confirmed.by} name={people.get(confirmed.by)} /> confirmed the baseline{' '}
            <Time at={confirmed.at} />. Retests can say “fixed” from <Time at={confirmed.countsFrom} />.
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
