import { ResponseField } from '../../../platform/api/response-field';
import { ownerOf } from '../../identity';
import { FindingListResponse, findingExample, presentFinding } from '../../findings';
import type { AssetDetails, AssetWithTotals } from '../asset-details.service';
import type { AssetTechnology } from '../data/asset-technology.entity';
import type { ListedAsset } from '../data/assets.repository';
import { ACTIVE_TESTS, proofFileOf } from '../domain/active-tests';
import { ASSET_TIERS, ASSET_TYPES } from '../domain/asset-value';

export class ShortAssetResponse {
  @ResponseField.integer()
  id!: number;

  @ResponseField.string()
  value!: string;

  @ResponseField.string({ enum: ASSET_TYPES })
  type!: string;

  @ResponseField.integer({
    nullable: true,
    enum: ASSET_TIERS,
    description: 'The importance of the asset; 1 is the highest.',
  })
  tier!: number | null;

  @ResponseField.integer()
  organization_id!: number;

  @ResponseField.boolean({ nullable: true, description: 'Whether a beacon connects the asset.' })
  private!: boolean | null;
}

export class ListedAssetResponse extends ShortAssetResponse {
  @ResponseField.string({ description: '"0.0" to "10.0", from the open findings.' })
  risk_score!: string;

  @ResponseField.integer()
  n_findings!: number;

  @ResponseField.strings()
  labels!: string[];

  @ResponseField.string({ nullable: true, description: 'A member, such as `user:12`, or a group, such as `group:3`.' })
  owner!: string | null;
}

export class AssetListResponse {
  @ResponseField.list(ListedAssetResponse)
  assets!: ListedAssetResponse[];
}

export class TechnologyResponse {
  @ResponseField.integer()
  id!: number;

  @ResponseField.string()
  name!: string;

  @ResponseField.string()
  vendor!: string;

  @ResponseField.string()
  version!: string;

  @ResponseField.string()
  os!: string;

  @ResponseField.string({ description: 'A CPE 2.3 formatted string, or empty.' })
  cpe!: string;

  @ResponseField.string({ description: 'Which response showed it.' })
  source!: string;
}

class ProofFileResponse {
  @ResponseField.string()
  path!: string;

  @ResponseField.string({ description: 'All that the file contains.' })
  body!: string;

  @ResponseField.instant({ nullable: true, description: 'Until when active jobs run without it; null if they do not.' })
  due!: string | null;
}

export class AssetResponse extends ListedAssetResponse {
  @ResponseField.string()
  organization_name!: string;

  @ResponseField.string({ nullable: true })
  ip!: string | null;

  @ResponseField.boolean({ description: 'Whether the value is a registrable domain.' })
  tld!: boolean;

  @ResponseField.string({ nullable: true, description: 'The product that runs there, as a package URL.' })
  purl!: string | null;

  @ResponseField.string({ nullable: true, description: 'The product that runs there, as a CPE 2.3 formatted string.' })
  cpe!: string | null;

  @ResponseField.string({ enum: ACTIVE_TESTS, description: 'Whether jobs may send experiments that try to inject.' })
  active_tests!: string;

  @ResponseField.integer({
    nullable: true,
    description: 'The pace of all tests of the asset together; null for that of the installation.',
  })
  requests_per_second!: number | null;

  @ResponseField.one(ProofFileResponse, {
    nullable: true,
    description:
      'Each address of the host serves it, so that active jobs may test it. Null where they are off or use a beacon.',
  })
  proof_file!: ProofFileResponse | null;
  @ResponseField.strings({ description: 'What active jobs request although a word says that it may change something.' })
  allowed_paths!: string[];

  @ResponseField.strings({ description: 'What active jobs do not request.' })
  forbidden_paths!: string[];

  @ResponseField.strings()
  services!: string[];

  @ResponseField.integers()
  ports!: number[];

  @ResponseField.list(TechnologyResponse)
  technologies!: TechnologyResponse[];

  @ResponseField.instant()
  created!: string;

  @ResponseField.one(FindingListResponse, { description: 'The newest 100 findings. `n_findings` is the total number.' })
  findings!: FindingListResponse;
}

export const presentShortAsset = ({ id, value, type, tier, organizationId, beaconId }: ListedAsset) =>
  ({ id, value, type, tier, organization_id: organizationId, private: beaconId !== null }) satisfies ShortAssetResponse;

/** Without a spread: before Node 24, V8 takes seven times as long for the JSON of objects that begin with one. */
export const presentListedAsset = ({ asset, totals }: AssetWithTotals) =>
  ({
    id: asset.id,
    value: asset.value,
    type: asset.type,
    tier: asset.tier,
    organization_id: asset.organizationId,
    private: asset.beaconId !== null,
    risk_score: totals.riskScore,
    n_findings: totals.findings,
    labels: asset.labels,
    owner: ownerOf(asset),
  }) satisfies ListedAssetResponse;

function presentProofFile(asset: AssetDetails['asset']): ProofFileResponse | null {
  const file = proofFileOf(asset);
  return file && { path: file.path, body: file.body, due: file.due?.toISOString() ?? null };
}

const presentTechnology = ({ id, name, vendor, version, os, cpe, source }: AssetTechnology): TechnologyResponse => ({
  id,
  name,
  vendor,
  version,
  os,
  cpe,
  source,
});

export const presentAsset = (details: AssetDetails): AssetResponse => ({
  ...presentListedAsset(details),
  organization_name: details.asset.organizationName,
  ip: details.asset.ip,
  tld: details.asset.tld,
  purl: details.asset.purl,
  cpe: details.asset.cpe,
  active_tests: details.asset.activeTests,
  requests_per_second: details.asset.requestsPerSecond,
  proof_file: presentProofFile(details.asset),
  allowed_paths: details.asset.allowedPaths,
  forbidden_paths: details.asset.forbiddenPaths,
  services: details.asset.services,
  ports: details.asset.ports,
  technologies: details.technologies.map(presentTechnology),
  created: details.asset.created.toISOString(),
  findings: { findings: details.findings.map(presentFinding) },
});

export const shortAssetExample = {
  id: 42,
  value: 'www.example.com',
  type: 'domain',
  tier: 1,
  organization_id: 7,
  private: false,
} satisfies ShortAssetResponse;

export const listedAssetExample = {
  ...shortAssetExample,
  risk_score: '2.0',
  n_findings: 1,
  labels: ['pci', 'shop'],
  owner: 'group:3',
} satisfies ListedAssetResponse;

export const assetExample: AssetResponse = {
  ...listedAssetExample,
  organization_name: 'Northwind Traders',
  ip: null,
  tld: false,
  purl: null,
  cpe: 'cpe:2.3:a:example:shop:4.2.0:*:*:*:*:*:*:*',
  active_tests: 'off',
  requests_per_second: null,
  proof_file: null,
  allowed_paths: [],
  forbidden_paths: [],
  services: ['https'],
  ports: [443],
  technologies: [
    {
      id: 5,
      name: 'nginx',
      vendor: 'F5',
      version: '1.28.0',
      os: 'Debian',
      cpe: 'cpe:2.3:a:f5:nginx:1.28.0:*:*:*:*:*:*:*',
      source: 'Server header of https://www.example.com/',
    },
  ],
  created: '2026-01-31T12:00:00.000Z',
  findings: { findings: [findingExample] },
};
