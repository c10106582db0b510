import type { VNode } from 'preact';
import {
  ACTIVE_TESTS,
  type Asset,
  FULL_TESTS_SENTENCE,
  MAX_REQUESTS_PER_SECOND,
  proofFileOf,
} from '../../modules/assets';
import { Fact } from '../frame/fact';
import { Field, Form, Select } from '../frame/form';
import { Panel } from '../frame/panel';
import { Time } from '../frame/time';
import { assetUrl, fullTestsUrl } from '../urls';

type Tested = Pick<Asset, 'id' | 'activeTests' | 'requestsPerSecond'>;

const LABELS = { off: 'Off', read_only: 'Read only', full: 'Full, with forms' } as const;

/** `full` is turned on at a page of its own. */
const optionsOf = ({ activeTests }: Tested): { readonly value: string; readonly label: string }[] =>
  ACTIVE_TESTS.filter((value) => value !== 'full' || activeTests === 'full').map((value) => ({
    value,
    label: LABELS[value],
  }));

/** As a fact of the asset. */
export const activeTestsText = ({ activeTests, requestsPerSecond }: Omit<Tested, 'id'>): string =>
  [LABELS[activeTests], ...(requestsPerSecond === null ? [] : [`${requestsPerSecond} requests a second`])].join(', ');

/** What each address serves. */
export function ProofFileFact({ asset }: { asset: Asset }): VNode | null {
  const file = proofFileOf(asset);
  if (file === null) return null;
  return (
    <Fact label="Proof file">
      Each address of the host must serve <code>{file.path}</code> with status 200 and exactly this text:{' '}
      <code>{file.body}</code>
      {file.due !== null && (
        <>
          {' '}
          Warning: from <Time at={file.due} to="day" /> on, no active test is sent without it.
        </>
      )}
    </Fact>
  );
}

/** For admins. */
export const ActiveTestsForm = ({ organizationId, asset }: { organizationId: number; asset: Tested }): VNode => (
  <Panel label="Active tests and pace" action={`${assetUrl(organizationId, asset.id)}/active-tests`}>
    <p>
      Active scans request all pages of a site and try to inject into each of their parameters, with GET requests and
      GraphQL queries alone, whose values neither widen nor change what a statement does. Allow them on sites that are
      yours and that stand some thousand requests.
    </p>
    <Select name="active_tests" label="Active tests" options={optionsOf(asset)} value={asset.activeTests} />
    <Field
      name="requests_per_second"
      label="Requests a second"
      hint="Of all tests of the asset together. Empty for the usual pace; more than 10 only on hosts that are not hosted elsewhere."
      input={{
        type: 'number',
        min: 1,
        max: MAX_REQUESTS_PER_SECOND,
        value: asset.requestsPerSecond ?? '',
        required: false,
      }}
    />
    <button>Save</button>
    {asset.activeTests !== 'full' && (
      <p>
        <a href={fullTestsUrl(organizationId, asset.id)}>Also test forms and writing operations</a>
      </p>
    )}
  </Panel>
);

/** Asks an admin to confirm it, with what it leaves on the target. */
export const FullTestsPage = ({ organizationId, asset }: { organizationId: number; asset: Asset }): VNode => (
  <>
    <p>
      <a href={assetUrl(organizationId, asset.id)}>{asset.value}</a>
    </p>
    <p>
      <strong>{FULL_TESTS_SENTENCE}</strong>
    </p>
    <p>
      Forms that sign out, delete, pay, order, invite, subscribe, send mail, or change a password or an address are not
      submitted, as far as their words say so. Forbid others in the list of what a scan left out. Test a copy of the
      site where you can.
    </p>
    <Form action={fullTestsUrl(organizationId, asset.id)}>
      <Field name="confirm_full" label={`Type ${asset.value} to confirm`} input={{ autocomplete: 'off' }} />
      <button>Allow full tests</button>
    </Form>
  </>
);
