import type { VNode } from 'preact';
import { SEVERITIES } from '../../kernel/severity';
import { Card } from '../frame/card';
import { SeverityBadge, statusLabel } from '../frame/badges';
import { Field, Form, useRefusal } from '../frame/form';
import { findingsUrl, findingUrl } from '../urls';
import type { FindingView } from './finding-reader';

interface ViewProps {
  readonly view: FindingView;
}

/** On the page of a merged finding: where it counts, and the way back. */
export function MergedInto({ view: { organizationId, finding, mayTest } }: ViewProps): VNode | null {
  if (finding.mergedInto === null) return null;
  return (
    <Card
      id="merged-into"
      title={
        <>
          Merged into <a href={findingUrl(organizationId, finding.mergedInto)}>#{finding.mergedInto}</a>
        </>
      }
    >
      <p>It is in no list and no report, and cannot be changed. New sightings of it count for #{finding.mergedInto}.</p>
      {mayTest && (
        <Form action={`${findingUrl(organizationId, finding.mergedInto)}/separate`}>
          <input type="hidden" name="finding" value={finding.id} />
          <button>Separate it</button>
        </Form>
      )}
    </Card>
  );
}

/** On the page of a finding: what is merged into it. */
export function MergedFindings({ view }: ViewProps): VNode | null {
  const { organizationId, finding, parts, mayTest } = view;
  if (parts.items.length === 0) return null;
  return (
    <Card id="merged" title="Merged findings">
      <ul class="plain merged">
        {parts.items.map(({ id, title, assetValue, severity, status }) => (
          <li key={id}>
            <span class="grow">
              <SeverityBadge severity={SEVERITIES[severity]} />{' '}
              <a href={findingUrl(organizationId, id)} dir="auto">
                {title}
              </a>{' '}
              <span class="muted">
                #{id}, <bdi>{assetValue}</bdi>, was {statusLabel(status)}
              </span>
            </span>
            {mayTest && (
              <Form action={`${findingUrl(organizationId, finding.id)}/separate`}>
                <input type="hidden" name="finding" value={id} />
                <button aria-label={`Separate #${id}`}>Separate</button>
              </Form>
            )}
          </li>
        ))}
      </ul>
      {parts.next !== undefined && (
        <p>
          <a href={findingsUrl(organizationId, { merged_into: finding.id })}>All merged findings</a>
        </p>
      )}
    </Card>
  );
}

/** For findings that report the same weakness. */
export function MergeForm({ view: { organizationId, finding } }: ViewProps): VNode {
  const action = `${findingUrl(organizationId, finding.id)}/merge`;
  return (
    <details open={useRefusal(action) !== undefined}>
      <summary>Merge into another finding</summary>
      <Form action={action}>
        <Field
          name="into"
          label="Number of the finding"
          hint="They count once from then on, with the status and the check of the other finding. You can separate them again."
          input={{ type: 'number', min: 1, max: 2147483647, inputMode: 'numeric' }}
        />
        <button>Merge</button>
      </Form>
    </details>
  );
}
