import type { VNode } from 'preact';
import { ACTIVE_TESTS, type Asset, MAX_REQUESTS_PER_SECOND } from '../../modules/assets';
import { Field, Select } from '../frame/form';
import { Panel } from '../frame/panel';
import { assetUrl } from '../urls';

type Tested = Pick<Asset, 'id' | 'activeTests' | 'requestsPerSecond'>;

const LABELS = { off: 'Off', read_only: 'Read only' } as const;
const OPTIONS = ACTIVE_TESTS.map((value) => ({ value, label: LABELS[value] }));

/** As a fact of the asset. */
export const activeTestsText = ({ activeTests, requestsPerSecond }: Omit<Tested, 'id'>): string =>
  [LABELS[activeTests], ...(requestsPerSecond === null ? [] : [`${requestsPerSecond} requests a second`])].join(', ');

/** For admins. */
export const ActiveTestsForm = ({ organizationId, asset }: { organizationId: number; asset: Tested }): VNode => (
  <Panel label="Active tests and pace" action={`${assetUrl(organizationId, asset.id)}/active-tests`}>
    <p>
      Active scans request all pages of a site and try to inject into each of their parameters, with GET requests and
      GraphQL queries alone, whose values neither widen nor change what a statement does. Allow them on sites that are
      yours and that stand some thousand requests.
    </p>
    <Select name="active_tests" label="Active tests" options={OPTIONS} value={asset.activeTests} />
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
  </Panel>
);
