import { invalid } from '../../../kernel/domain-error';
import { Flag, Id, OneOf, SingleLineText, TextWithRule } from '../../../platform/http/fields';
import { PageQueryOf, type SortValue } from '../../../platform/http/page-query';
import { SCANNER_FORMATS, type ScannerFormat } from '../../../scanner-files';
import { recognizeAsset } from '../../assets';
import { labelsIn, MAX_LABELS_LENGTH } from '../../findings';
import { ROW_RESULTS, type RowResult, UNKNOWN_ASSETS, type UnknownAssets } from '../domain/import-status';
import { MAX_MAPPING_LENGTH, readCsvMapping } from '../domain/read-csv-mapping';
import type { ImportOptions } from '../uploads.service';

function requireAsset(text: string): string {
  const recognized = recognizeAsset(text);
  if (recognized !== undefined) return recognized.value;
  throw invalid('asset must be a domain, an http or https URL, an IP address or a CIDR.');
}

/** The options of an import. The file itself is the body. */
export class ImportQuery {
  @OneOf(SCANNER_FORMATS, {
    optional: true,
    description: 'The format of the file. By default it is recognized by the content.',
  })
  format?: ScannerFormat;

  @Flag({
    optional: true,
    description: 'Shows what the import would change, and changes nothing.',
    default: false,
  })
  dry_run?: boolean;

  @OneOf(UNKNOWN_ASSETS, {
    optional: true,
    description:
      'What happens to results on hosts that no asset of the organization covers, and to those between several assets or beside assets with other ports: they are refused, or assets for them are added. Nothing is sent to such an asset before its domain is verified.',
    default: 'refuse',
  })
  unknown_assets?: UnknownAssets;

  @TextWithRule(
    requireAsset,
    { minLength: 1, maxLength: 2_048 },
    {
      optional: true,
      description:
        'The value of the asset of results that name no host, such as those of source code, and of results on its host that are between several assets or beside assets with other ports.',
    },
  )
  asset?: string;

  @TextWithRule(
    labelsIn,
    { minLength: 1, maxLength: MAX_LABELS_LENGTH },
    {
      optional: true,
      description:
        'The labels of hosts that are added as assets, with commas between them. Requires the role admin, and `unknown_assets=add`.',
    },
  )
  asset_labels?: string;

  @Id({
    optional: true,
    description:
      'The beacon of the private network that was scanned. Only its assets count, and hosts that are added are behind it.',
  })
  beacon_id?: number;

  @Flag({
    optional: true,
    description:
      'Approves the replays of the file: the GET and HEAD requests that it shows with a text of the response become checks of their findings, and are sent to the host of their result. Requires the role admin. Without it, they wait for the approval of an admin.',
    default: false,
  })
  test_replays?: boolean;

  @SingleLineText(200, { optional: true, description: 'What lists of imports show, such as the name of the file.' })
  name?: string;

  @TextWithRule(
    readCsvMapping,
    { minLength: 2, maxLength: MAX_MAPPING_LENGTH },
    {
      optional: true,
      description:
        'Only for CSV: a JSON object. `columns` has the name of a column for each field, at least for `title` and `severity`; `scanner` names the tool, and `severities` translates its words. Without it, columns are recognized by their usual names, and `ignored_columns` of the import has the others.',
    },
  )
  csv_mapping?: string;
}

export function importOptions(query: ImportQuery): ImportOptions {
  const assetLabels = labelsIn(query.asset_labels ?? '');
  if (assetLabels.length > 0 && query.unknown_assets !== 'add')
    throw invalid('asset_labels is only for unknown_assets=add: other imports add no assets.');
  const { format, dry_run, unknown_assets, asset, name, csv_mapping, test_replays, beacon_id } = query;
  if (csv_mapping !== undefined && (format ?? 'csv') !== 'csv')
    throw invalid(`csv_mapping is only for CSV, and not for format=${format}.`);
  return {
    name: name ?? null,
    statedFormat: format ?? null,
    csvMapping: csv_mapping === undefined ? null : readCsvMapping(csv_mapping),
    dryRun: dry_run ?? false,
    unknownAssets: unknown_assets ?? 'refuse',
    assetLabels,
    testReplays: test_replays ?? false,
    asksPlaces: false,
    beaconId: beacon_id ?? null,
    assetValue: asset === undefined ? null : requireAsset(asset),
  };
}

export class ImportRowsQuery extends PageQueryOf(50) {
  @OneOf(ROW_RESULTS, { optional: true, description: 'Only rows with this result.' })
  result?: RowResult;

  override get sortValues(): readonly SortValue[] {
    return ['integer'];
  }
}
