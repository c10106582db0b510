import {
  Id,
  Integer,
  OneOf,
  SingleLineText,
  Text,
  TextListWithRule,
  TextWithRule,
} from '../../../platform/http/fields';
import { PageQuery, type SortValue } from '../../../platform/http/page-query';
import {
  ACTIVE_TESTS,
  type ActiveTests,
  FULL_TESTS_SENTENCE,
  MAX_PATH_LENGTH,
  MAX_PATHS,
  MAX_REQUESTS_PER_SECOND,
  requirePaths,
} from '../domain/active-tests';
import { ASSET_TIERS, ASSET_TYPES, type AssetType } from '../domain/asset-value';
import { MAX_IDENTIFIER_LENGTH, requireCpe, requirePackageUrl } from '../domain/product-identifier';
import type { Caller } from '../../../platform/api/caller';
import { type Owner, OwnerField, OwnerFilterField, ownerFilterOf } from '../../identity';
import { Label, Labels, normalizeLabel } from '../../findings';
import type { AssetFilter } from '../data/asset-filter';
import type { AssetOrder } from '../data/asset-orders';
import type { AssetChange } from '../data/assets.repository';

const [mostImportant, , leastImportant] = ASSET_TIERS;

const TIER_DESCRIPTION = 'The importance of the asset; 1 is the highest.';

const PackageUrl = (): PropertyDecorator =>
  TextWithRule(
    requirePackageUrl,
    { minLength: 1, maxLength: MAX_IDENTIFIER_LENGTH },
    {
      nullable: true,
      example: 'pkg:npm/%40example/shop@4.2.0',
      description: 'The product that runs there as a package URL. VEX reports name it.',
    },
  );

const Cpe = (): PropertyDecorator =>
  TextWithRule(
    requireCpe,
    { minLength: 1, maxLength: MAX_IDENTIFIER_LENGTH },
    {
      nullable: true,
      example: 'cpe:2.3:a:example:shop:4.2.0:*:*:*:*:*:*:*',
      description: 'The product that runs there as a CPE 2.3 formatted string. VEX reports name it.',
    },
  );

export const ActiveTestsField = (): PropertyDecorator =>
  OneOf(ACTIVE_TESTS, {
    optional: true,
    description:
      'Whether jobs may send experiments that try to inject. `read_only`: in what only reads. `full`: also in forms and writing operations, which leaves entries on the target and needs `confirm_full`. Requires the role admin.',
  });

export const ConfirmFull = (): PropertyDecorator =>
  SingleLineText(2_048, {
    optional: true,
    description: `Required to set \`active_tests\` to \`full\`: the value of the asset once more. ${FULL_TESTS_SENTENCE}`,
  });

export const RequestsPerSecond = (): PropertyDecorator =>
  Integer(1, MAX_REQUESTS_PER_SECOND, {
    nullable: true,
    description:
      'The pace of all tests of the asset together, at most 10 on a host that is hosted elsewhere. Null for that of the installation. Requires the role admin.',
  });

const AssetOwnerField = (): PropertyDecorator =>
  OwnerField({
    nullable: true,
    description:
      'A member (`user:12`), to whom new findings on the asset are assigned, or a group (`group:3`). Requires the role admin.',
  });

const Paths = (description: string): PropertyDecorator =>
  TextListWithRule(
    requirePaths,
    { minItems: 0, maxItems: MAX_PATHS, maxLength: MAX_PATH_LENGTH },
    { optional: true, description: `${description} Numbers and ids in it stand for others. Requires the role admin.` },
  );

export class CreateAssetRequest {
  @Id({ nullable: true, description: 'Optional if the caller has access to only one organization.' })
  organization_id?: number | null;

  @Text(1, 2048, {
    description: 'A domain, an http or https URL, an IP address or a CIDR block. Stored in canonical form.',
  })
  asset_value!: string;

  @OneOf(ASSET_TYPES)
  asset_type!: AssetType;

  @Id({ nullable: true, description: 'The beacon that connects the asset; null for the public Internet.' })
  beacon_id?: number | null;

  @Integer(mostImportant, leastImportant, { nullable: true, description: TIER_DESCRIPTION })
  tier?: number | null;

  @PackageUrl()
  purl?: string | null;

  @Cpe()
  cpe?: string | null;

  @Labels({ optional: true, description: 'Requires the role admin. Stored in lower case.' })
  labels?: string[];

  @AssetOwnerField()
  owner?: Owner | null;
}

export class ChangeAssetRequest {
  @Integer(mostImportant, leastImportant, { nullable: true, description: `${TIER_DESCRIPTION} Null removes it.` })
  tier?: number | null;

  @PackageUrl()
  purl?: string | null;

  @Cpe()
  cpe?: string | null;

  @Labels({ optional: true, description: 'All labels of the asset. Requires the role admin. Stored in lower case.' })
  labels?: string[];

  @AssetOwnerField()
  owner?: Owner | null;

  @ActiveTestsField()
  active_tests?: ActiveTests;

  @ConfirmFull()
  confirm_full?: string;

  @RequestsPerSecond()
  requests_per_second?: number | null;

  @Paths('All paths with queries that active jobs request although a word says that they may change something.')
  allowed_paths?: string[];

  @Paths('All paths with queries that active jobs do not request.')
  forbidden_paths?: string[];
}

/** Omitted fields do not change. */
export function changeOfAsset(body: ChangeAssetRequest): AssetChange {
  const {
    active_tests: activeTests,
    confirm_full: confirmFull,
    requests_per_second: requestsPerSecond,
    allowed_paths: allowedPaths,
    forbidden_paths: forbiddenPaths,
    ...rest
  } = body;
  const stated = Object.entries({ ...rest, activeTests, confirmFull, requestsPerSecond, allowedPaths, forbiddenPaths });
  return Object.fromEntries(stated.filter(([, value]) => value !== undefined));
}

export class ListAssetsQuery extends PageQuery {
  @OneOf(ASSET_TYPES, { optional: true })
  type?: AssetType;

  @Integer(mostImportant, leastImportant, { optional: true })
  tier?: number;

  @Label({ optional: true, description: 'Only assets with this label.' })
  label?: string;

  @OwnerFilterField({
    optional: true,
    description: 'Only assets of this owner: `me` with the groups of the caller, `none` for those without one.',
  })
  owner?: string;

  @SingleLineText(200, { optional: true, description: 'A substring of the value, case-insensitive.' })
  q?: string;

  @OneOf(['newest', 'risk'], {
    optional: true,
    description:
      'The sort order. By default the newest first; with `risk` the highest risk first, in which claims together weigh less than one proved finding of high severity, and refuted findings nothing.',
  })
  sort?: AssetOrder;

  get order(): AssetOrder {
    return this.sort ?? 'newest';
  }

  override get sortValues(): readonly SortValue[] {
    return this.order === 'risk' ? ['integer', 'integer'] : super.sortValues;
  }

  filterFor({ facts }: Pick<Caller, 'facts'>): AssetFilter {
    const { type, tier, label, owner, q } = this;
    return {
      type,
      tier,
      label: label === undefined ? undefined : normalizeLabel(label),
      owner: owner === undefined ? undefined : ownerFilterOf(owner, facts.userId),
      q,
    };
  }
}
