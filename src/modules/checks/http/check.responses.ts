import { SEVERITIES } from '../../../kernel/severity';
import { ResponseField } from '../../../platform/api/response-field';
import type { CheckView } from '../checks.service';
import { CHECK_SOURCES, type ListedCheck } from '../domain/listed-check';

export class CheckResponse {
  @ResponseField.string({ description: 'Of a loaded template `http:` and the id in it.' })
  id!: string;

  @ResponseField.string()
  title!: string;

  @ResponseField.string({ enum: SEVERITIES })
  severity!: string;

  @ResponseField.integers({ description: 'Numbers in the Common Weakness Enumeration, the main one first.' })
  cwe!: number[];

  @ResponseField.strings({ description: 'Words that select it for a job.' })
  tags!: string[];

  @ResponseField.string({ enum: CHECK_SOURCES })
  source!: string;

  @ResponseField.integer({ nullable: true, description: 'Of a loaded template; null for a built-in check.' })
  version!: number | null;

  @ResponseField.instant({ nullable: true, description: 'When this version was loaded.' })
  loaded!: string | null;

  @ResponseField.string({ description: 'What it detects: the beginning of the description of a template.' })
  detects!: string;

  @ResponseField.boolean()
  runs_in_jobs!: boolean;

  @ResponseField.string({ nullable: true, description: 'Why jobs do not run it.' })
  not_in_jobs_reason!: string | null;
}

export class CheckListResponse {
  @ResponseField.list(CheckResponse)
  checks!: CheckResponse[];
}

export class CheckDetailsResponse extends CheckResponse {
  @ResponseField.string({ description: 'Markdown: what the weakness means and how to fix it.' })
  text!: string;

  @ResponseField.string({ description: 'How it decides.' })
  decides!: string;

  @ResponseField.string({ nullable: true })
  cvss_vector!: string | null;

  @ResponseField.strings()
  references!: string[];

  @ResponseField.instant({ nullable: true, description: 'Since when no new finding and no job may use it.' })
  retired!: string | null;

  @ResponseField.integers({ description: 'All versions of a loaded template.' })
  versions!: number[];

  @ResponseField.string({ nullable: true, description: 'The YAML of a loaded template.' })
  template!: string | null;
}

export class CheckViewResponse {
  @ResponseField.one(CheckDetailsResponse)
  check!: CheckDetailsResponse;
}

const fieldsOf = ({ id, title, severity, cwe, tags, source, version, loaded, detects, notInJobs }: ListedCheck) => ({
  id,
  title,
  severity,
  cwe: [...cwe],
  tags: [...tags],
  source,
  version,
  loaded: loaded?.toISOString() ?? null,
  detects,
  runs_in_jobs: notInJobs === null,
  not_in_jobs_reason: notInJobs,
});

export const presentCheck = (check: ListedCheck): CheckResponse => fieldsOf(check);

export const presentCheckView = (check: CheckView): CheckViewResponse => ({
  check: {
    ...fieldsOf(check),
    text: check.text,
    decides: check.decides,
    cvss_vector: check.cvss,
    references: [...check.references],
    retired: check.retired?.toISOString() ?? null,
    versions: [...check.versions],
    template: check.template,
  },
});

export const checkExample = {
  id: 'http:git-config',
  title: 'Git configuration is public',
  severity: 'medium',
  cwe: [200],
  tags: ['git', 'exposure'],
  source: 'loaded',
  version: 2,
  loaded: '2026-01-31T12:00:00.000Z',
  detects: 'The configuration of a Git repository can be read by anyone.',
  runs_in_jobs: true,
  not_in_jobs_reason: null,
};
