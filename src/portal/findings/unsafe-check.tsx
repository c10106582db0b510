import type { VNode } from 'preact';
import { Form, useRefusal } from '../frame/form';
import { findingUrl } from '../urls';
import type { FindingView } from './finding-reader';
import { versionOfCheck } from './finding-versions';

const listOf = (methods: readonly string[]): string =>
  methods.length < 2 ? methods.join('') : `${methods.slice(0, -1).join(', ')} and ${methods.at(-1)}`;

/** Whether no retest can start, because the check may change state on the target. */
export const isNotAllowed = ({ check }: FindingView): boolean => check.unsafeMethods.length > 0 && !check.allowUnsafe;

/** Why a retest cannot start, for those who cannot allow it and for those who can. */
export const WhyNotAllowed = ({ view: { check, mayDecide } }: { view: FindingView }): VNode => (
  <p>
    A retest cannot start: the check sends {listOf(check.unsafeMethods)}, which may change state on the target.{' '}
    {mayDecide ? <>Allow it in the menu beside the title.</> : 'An admin of the organization must allow it.'}
  </p>
);

/** What an admin allows the check of this finding to do. */
export function UnsafeCheck({ view }: { view: FindingView }): VNode | null {
  const { organizationId, finding, check, mayDecide } = view;
  const { allowUnsafe, unsafeMethods } = check;
  if (unsafeMethods.length === 0) return null;
  const methods = listOf(unsafeMethods);
  const action = `${findingUrl(organizationId, finding.id)}/unsafe`;
  return (
    <details open={useRefusal(action) !== undefined}>
      <summary>Requests that change state</summary>
      <p>
        The check sends <strong>{methods}</strong>, which may create, change or delete data on{' '}
        <bdi>{finding.location ?? finding.assetValue}</bdi>.{' '}
        {allowUnsafe
          ? 'An admin has allowed this for this finding.'
          : 'Nothing is sent until an admin allows it for this finding.'}
      </p>
      {mayDecide && (
        <>
          <p class="muted">
            {allowUnsafe
              ? 'Without the permission no retest can start.'
              : 'The check then runs, and each retest that can show “fixed” sends these requests at least 16 times. Jobs never send them.'}
          </p>
          <Form action={action}>
            <input type="hidden" name="version" value={versionOfCheck(check)} />
            <input type="hidden" name="allow" value={String(!allowUnsafe)} />
            <button class={allowUnsafe ? undefined : 'danger'}>
              {allowUnsafe ? `Withdraw the permission for ${methods}` : `Allow ${methods}`}
            </button>
          </Form>
        </>
      )}
    </details>
  );
}
