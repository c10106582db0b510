import { ResponseField } from '../../../platform/api/response-field';
import type { ShownExperiment } from '../domain/shown-experiment';
import type { BaselineView } from '../baselines.service';

type View = NonNullable<BaselineView['stored']>;

export class BaselinePageResponse {
  @ResponseField.integer()
  status!: number;

  @ResponseField.string({ nullable: true })
  title!: string | null;

  @ResponseField.string({ nullable: true, description: 'The product in the Server field.' })
  server!: string | null;

  @ResponseField.string({ nullable: true, description: 'Host and path of where it redirects.' })
  redirect!: string | null;

  @ResponseField.string({ nullable: true, description: 'The SHA-256 of the certificate; null without TLS.' })
  certificate!: string | null;

  @ResponseField.string({
    nullable: true,
    description: 'The beginning of its text, redacted. Null in baselines of earlier versions.',
  })
  text!: string | null;
}

export class ExperimentRowResponse {
  @ResponseField.integer()
  step!: number;

  @ResponseField.string({ description: 'The value at the point.' })
  sent!: string;

  @ResponseField.string({
    description: 'What the answer has to be if the weakness is there, or what the request is a control of.',
  })
  expects!: string;

  @ResponseField.string()
  observed!: string;

  @ResponseField.integer()
  status!: number;

  @ResponseField.integer()
  ms!: number;
}

export class ExperimentResponse {
  @ResponseField.string({ description: 'Of the tested point: `query`, `segment`, `cookie`, `header` or `graphql`.' })
  kind!: string;

  @ResponseField.string()
  name!: string;

  @ResponseField.string({ description: 'Which of several syntaxes showed the weakness.' })
  variant!: string;

  @ResponseField.string({ description: 'How certain the proof is, with its arithmetic.' })
  certainty!: string;

  @ResponseField.list(ExperimentRowResponse)
  rows!: ExperimentRowResponse[];

  @ResponseField.string({
    nullable: true,
    description: 'A line for a shell that repeats the decisive request, redacted.',
  })
  curl!: string | null;
}

export class BaselineResponse {
  @ResponseField.one(BaselinePageResponse, {
    nullable: true,
    description: 'The page that retests compare with; null if the check compares no page, or never saw the weakness.',
  })
  stored!: BaselinePageResponse | null;

  @ResponseField.instant({ nullable: true })
  taken!: string | null;

  @ResponseField.integer({ nullable: true, description: 'The user who confirmed it; null if the service learned it.' })
  confirmed_by!: number | null;

  @ResponseField.instant({ nullable: true })
  confirmed_at!: string | null;

  @ResponseField.instant({ nullable: true, description: 'From when retests may say `fixed` by a confirmed baseline.' })
  counts_from!: string | null;

  @ResponseField.one(BaselinePageResponse, {
    nullable: true,
    description: 'The page as the last retest saw it, if an admin may confirm it.',
  })
  current!: BaselinePageResponse | null;

  @ResponseField.string({ nullable: true, description: 'The retest that saw it.' })
  retest!: string | null;

  @ResponseField.one(ExperimentResponse, {
    nullable: true,
    description: 'Of an active check: the experiment that showed the weakness last, which a retest repeats.',
  })
  experiment!: ExperimentResponse | null;
}

const presentPage = ({ status, title, server, redirect, certificate, text }: View): BaselinePageResponse => ({
  status,
  title,
  server,
  redirect,
  certificate: certificate?.sha256 ?? null,
  text,
});

const presentExperiment = ({ kind, name, variant, certainty, rows, curl }: ShownExperiment): ExperimentResponse => ({
  kind,
  name,
  variant,
  certainty,
  rows: rows.map(({ step, sent, expects, observed, status, ms }) => ({ step, sent, expects, observed, status, ms })),
  curl,
});

export const presentBaseline = ({
  stored,
  taken,
  confirmed,
  current,
  retest,
  experiment,
}: BaselineView): BaselineResponse => ({
  stored: stored && presentPage(stored),
  taken: taken?.toISOString() ?? null,
  confirmed_by: confirmed?.by ?? null,
  confirmed_at: confirmed?.at.toISOString() ?? null,
  counts_from: confirmed?.countsFrom.toISOString() ?? null,
  current: current && presentPage(current),
  retest,
  experiment: experiment && presentExperiment(experiment),
});

const examplePage = (title: string): BaselinePageResponse => ({
  status: 200,
  title,
  server: 'nginx',
  redirect: null,
  certificate: null,
  text: 'Welcome to the shop',
});

export const baselineExample: BaselineResponse = {
  stored: examplePage('Example shop'),
  taken: '2026-01-31T12:00:00.000Z',
  confirmed_by: null,
  confirmed_at: null,
  counts_from: null,
  current: examplePage('The new shop'),
  retest: '019a8c5e-7b00-7cc4-9a53-0d4f2c6b1e77',
  experiment: null,
};

export const confirmedBaselineExample: BaselineResponse = {
  stored: examplePage('The new shop'),
  taken: '2026-01-31T12:10:00.000Z',
  confirmed_by: 12,
  confirmed_at: '2026-01-31T12:10:00.000Z',
  counts_from: '2026-01-31T13:10:00.000Z',
  current: null,
  retest: null,
  experiment: null,
};
