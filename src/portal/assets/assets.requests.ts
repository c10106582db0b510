import {
  AcceptCheckRequest,
  type ActiveTests,
  ActiveTestsField,
  ConfirmFull,
  ASSET_TYPES,
  type AssetChange,
  type AssetOrder,
  ChangeAssetRequest,
  ListAssetsQuery,
  RequestsPerSecond,
} from '../../modules/assets';
import type { Page } from '../../kernel/page';
import { type Owner, OwnerField } from '../../modules/identity';
import { MAX_LABELS_LENGTH } from '../../modules/findings';
import { Id, Integer, OneOf, Text, Uuid } from '../../platform/http/fields';

const PER_PAGE = 50;

export class AssetsQuery extends ListAssetsQuery {
  /** Only assets with a certificate that expires. */
  @OneOf(['expiring'], { optional: true })
  certificate?: 'expiring';

  override get order(): AssetOrder {
    return this.sort ?? 'risk';
  }

  override get slice(): Page {
    return { ...super.slice, perPage: this.per_page ?? PER_PAGE, isCounted: true };
  }
}

export class AssetForm {
  /** Named as in the API, whose messages the form shows at its field. */
  @Text(1, 2048)
  asset_value!: string;

  @OneOf(ASSET_TYPES)
  type!: string;

  @Integer(1, 3, { nullable: true })
  tier?: number | null;

  @Id({ nullable: true })
  beacon_id?: number | null;

  @OwnerField({ nullable: true })
  owner?: Owner | null;
}

/** An empty field removes the value. */
export const changeOfForm = ({ tier = null, purl = null, cpe = null }: ChangeAssetRequest): AssetChange => ({
  tier,
  purl,
  cpe,
});

export class ActiveTestsForm {
  @ActiveTestsField()
  active_tests?: ActiveTests;

  @RequestsPerSecond()
  requests_per_second?: number | null;
}

export class FullTestsForm {
  @ConfirmFull()
  confirm_full?: string;
}

export class PathForm {
  @Text(1, 1_500)
  path!: string;

  @OneOf(['allow', 'forbid'])
  decision!: 'allow' | 'forbid';

  @Uuid()
  scan!: string;
}

export class AssetOwnerForm {
  @OwnerField({ nullable: true })
  owner?: Owner | null;
}

export class AssetLabelsForm {
  @Text(0, MAX_LABELS_LENGTH, { optional: true })
  labels?: string;
}

export class AcceptanceForm extends AcceptCheckRequest {
  @Text(1, 100)
  check_id!: string;
}
