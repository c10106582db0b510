import type { VNode } from 'preact';
import { ASSET_TYPES } from '../../modules/assets';
import { Field, Select } from '../frame/form';
import { OwnerSelect } from '../frame/owner-select';
import { Sheet } from '../frame/sheet';
import { labelOf } from '../frame/words';
import { assetsUrl } from '../urls';
import type { AssetsView } from './asset-reader';
import { tierOptions, TYPE_LABELS } from './assets-page';

export const AddAsset = ({ view: { organizationId, beacons, owners, mayDecide } }: { view: AssetsView }): VNode => (
  <Sheet id="add" label="Add an asset" action={assetsUrl(organizationId)}>
    <p>A domain covers its subdomains, and a URL what is below its path. Tier 1 is the most important.</p>
    <Field
      name="asset_value"
      label="Value"
      hint="Such as shop.example.com, https://example.com/app or 10.0.0.0/24."
      input={{ maxLength: 2048, autofocus: true }}
    />
    <Select
      name="type"
      label="Type"
      options={ASSET_TYPES.map((value) => ({ value, label: TYPE_LABELS[value] ?? labelOf(value) }))}
    />
    <Select name="tier" label="Tier" options={tierOptions} />
    {beacons.length > 0 && (
      <Select
        name="beacon_id"
        label="Network"
        options={[{ value: '', label: 'Internet' }, ...beacons.map(({ id, name }) => ({ value: id, label: name }))]}
      />
    )}
    {mayDecide && (
      <OwnerSelect label="Owner" hint="New findings are theirs." owners={owners} value={null} none="No one" />
    )}
    <button class="primary">Add the asset</button>
  </Sheet>
);
