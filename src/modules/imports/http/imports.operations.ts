import { Operation } from '../../../platform/http/operation';
import { Acknowledgement } from '../../../platform/http/acknowledgement';
import { MAX_IMPORT_MEGABYTES } from '../../../platform/config/schema';
import { PageQuery } from '../../../platform/http/page-query';
import { ImportQuery, ImportRowsQuery } from './import.requests';
import { ImportListResponse, ImportResponse, ImportRowListResponse } from './import.responses';

/** application/octet-stream comes first: it fits every file. */
const MEDIA_TYPES = [
  'application/octet-stream',
  'application/json',
  'application/jsonl',
  'application/x-ndjson',
  'application/sarif+json',
  'application/xml',
  'text/xml',
  'text/csv',
  'text/plain',
];

const UPLOAD = {
  mediaTypes: MEDIA_TYPES,
  maxBytes: MAX_IMPORT_MEGABYTES * 1_048_576,
  example:
    '{"template-id":"exposed-git","info":{"name":"Git repository is public","severity":"medium"},"matched-at":"https://www.example.com/.git/config"}',
};

const DESCRIPTION =
  'The body is the file itself, of at most `IMPORT_MAX_MEGABYTES` (100 MiB), in one of the formats of `format`. Send at least 64 KiB a second; two files of an organization are received at a time. A worker then reads it: follow the `Location`. Importing the same file again changes nothing.';

const example = {
  id: 12,
  organization_id: 7,
  name: 'nuclei-2026-01-31.jsonl',
  status: 'FINISHED',
  error: null,
  format: 'nuclei-jsonl',
  ignored_columns: [],
  dry_run: false,
  unknown_assets: 'refuse',
  asset_labels: [],
  asset: null,
  beacon_id: null,
  size: 48_213,
  bytes_done: 48_213,
  rows_done: 61,
  rows: { new: 14, seen_again: 40, reopened: 1, unchanged: 0, refused: 6, missing: 3 },
  refused_not_stored: 0,
  rows_removed: null,
  verification: { tested: 9, confirmed: 3, refuted: 5, inconclusive: 1, untested: 0, waiting: 0 },
  summary:
    '55 imported, 14 new; 9 tested: 3 confirmed, 5 refuted, 1 inconclusive; 46 not tested; 2 rows contradict resolved findings, 1 retest started.',
  untested: [{ reason: 'No check is bound to the finding.', findings: 46 }],
  test_replays: false,
  contradicting: 2,
  retests_started: 1,
  removed: 0,
  kept: 0,
  actor: { type: 'user', id: '12' },
  created: '2026-01-31T12:00:00.000Z',
  started: '2026-01-31T12:00:01.000Z',
  finished: '2026-01-31T12:00:02.000Z',
  undone: null,
  file_kept_until: null,
  waits_until: null,
};

const newExample = {
  ...example,
  status: 'PENDING',
  format: null,
  bytes_done: 0,
  rows_done: 0,
  rows: { new: 0, seen_again: 0, reopened: 0, unchanged: 0, refused: 0, missing: 0 },
  verification: { tested: 0, confirmed: 0, refuted: 0, inconclusive: 0, untested: 0, waiting: 0 },
  summary: '0 imported, 0 new; 0 tested.',
  untested: [],
  contradicting: 0,
  retests_started: 0,
  started: null,
  finished: null,
};

const accepted = {
  status: 202,
  description: 'The file is stored, and waits for a worker.',
  body: ImportResponse,
  example: newExample,
  location: ({ id }: ImportResponse) => `/v1/imports/${id}`,
} as const;

/** Shared by both uploads. */
const UPLOADING = {
  number: 'addition',
  tag: 'Imports',
  description: DESCRIPTION,
  role: 'member',
  scope: 'write',
  query: ImportQuery,
  upload: UPLOAD,
  limit: 'import',
  success: accepted,
  errors: [400, 401, 403, 404, 413, 415, 422],
  audit: { operation: 'import.create', resource: 'import' },
} as const;

export const importEventFindings = Operation('POST /v1/events/{event_slug}/imports', {
  ...UPLOADING,
  id: 'importEventFindings',
  summary: "Import a scanner's file into an event",
});

export const importFindings = Operation('POST /v1/organizations/{organization_id}/imports', {
  ...UPLOADING,
  id: 'importFindings',
  summary: "Import a scanner's file without an event",
});

export const listEventImports = Operation('GET /v1/events/{event_slug}/imports', {
  id: 'listEventImports',
  tag: 'Imports',
  summary: 'List the imports of an event',
  role: 'viewer',
  query: PageQuery,
  success: {
    description: 'The imports, newest first.',
    body: ImportListResponse,
    example: { imports: [example] },
    paged: true,
  },
});

export const listImports = Operation('GET /v1/organizations/{organization_id}/imports', {
  id: 'listImports',
  tag: 'Imports',
  summary: 'List the imports of an organization',
  role: 'viewer',
  query: PageQuery,
  success: {
    description: 'The imports, also those of its events, newest first.',
    body: ImportListResponse,
    example: { imports: [example] },
    paged: true,
  },
});

export const getImportTemplate = Operation('GET /v1/imports/csv-template', {
  id: 'getImportTemplate',
  tag: 'Imports',
  summary: 'Download a CSV file to fill in',
  description: 'A file with these columns needs no `csv_mapping`. Usual other names of columns are recognized as well.',
  role: 'any',
  success: { description: 'The file.', file: ['text/csv'] },
  errors: [401],
});

export const getImport = Operation('GET /v1/imports/{import_id}', {
  id: 'getImport',
  tag: 'Imports',
  summary: 'Read an import',
  description: 'While a worker reads the file, it shows how far it has come, and the results so far.',
  role: 'viewer',
  success: { description: 'The import.', body: ImportResponse, example },
});

export const listImportRows = Operation('GET /v1/imports/{import_id}/rows', {
  id: 'listImportRows',
  tag: 'Imports',
  summary: 'List the outcome of each result of an imported file',
  description:
    'In the order of the file. `missing` are open findings that the scanner saw before on the assets, hosts and ports of the file and that the file no longer has: they stay open, and you can retest them. Those that are still open are listed.',
  role: 'viewer',
  query: ImportRowsQuery,
  success: {
    description: 'The rows.',
    body: ImportRowListResponse,
    example: {
      rows: [
        {
          number: 1,
          line: 1,
          result: 'new',
          reason: null,
          finding_id: 31,
          contradiction: null,
          title: 'Git repository is public',
          asset_value: 'www.example.com',
          scanner: 'nuclei',
        },
      ],
    },
    paged: true,
  },
});

export const cancelImport = Operation('POST /v1/imports/{import_id}/cancel', {
  id: 'cancelImport',
  tag: 'Imports',
  summary: 'Cancel an import',
  description: 'What was imported so far stays, and can be undone. Canceling it again changes nothing.',
  role: 'member',
  success: {
    description: 'The import is canceled.',
    body: Acknowledgement,
    example: { code: 200, description: 'Import canceled.', id: null, success: true },
  },
  errors: [401, 403, 404, 409],
  audit: { operation: 'import.cancel', resource: 'import', id: 'import_id' },
});

export const importFileOfDryRun = Operation('POST /v1/imports/{import_id}/import', {
  number: 'addition',
  id: 'importFileOfDryRun',
  tag: 'Imports',
  summary: 'Import the file of a dry run',
  description:
    'Without a second upload, and with the options of the dry run. `file_kept_until` says how long that is possible.',
  role: 'member',
  success: accepted,
  errors: [401, 403, 404, 409, 422],
  audit: { operation: 'import.create', resource: 'import' },
});

export const undoImport = Operation('POST /v1/imports/{import_id}/undo', {
  id: 'undoImport',
  tag: 'Imports',
  summary: 'Undo an import',
  description:
    'A worker removes the findings that no one else has seen, and its sightings, and resolves again what it reopened. Refused with the ids if someone has changed, commented or retested findings that it created or reopened. Assets that it added stay.',
  role: 'member',
  success: {
    status: 202,
    description: 'The import is being undone.',
    body: ImportResponse,
    example: { ...example, status: 'UNDOING' },
  },
  errors: [401, 403, 404, 409],
  audit: { operation: 'import.undo', resource: 'import', id: 'import_id' },
});
