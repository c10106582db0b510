import type { Refusal } from '../../../engine';
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

class RefusalResponse {
  @ResponseField.string({ description: 'The method and the path that are refused.' })
  path!: string;

  @ResponseField.integer()
  status!: number;

  @ResponseField.string({ description: 'Its twin: a path that cannot have the weakness.' })
  twin!: string;

  @ResponseField.integer()
  twin_status!: number;
}

class OfferedRefusalResponse extends RefusalResponse {
  @ResponseField.string({ description: 'The retest that was refused.' })
  retest!: string;

  @ResponseField.integers({ description: 'The other findings of the origin that are refused in the same way.' })
  alike!: number[];
}

class ConfirmedRefusalResponse extends RefusalResponse {
  @ResponseField.integer({ description: 'The user who confirmed it.' })
  by!: number;

  @ResponseField.instant()
  at!: string;

  @ResponseField.string({ nullable: true, description: 'Why. Null if an earlier version stored none.' })
  reason!: string | null;
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
  @ResponseField.string({ description: 'The kind of the point, or `object`, `function` or `cache` of two accounts.' })
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

  @ResponseField.one(OfferedRefusalResponse, {
    nullable: true,
    description: 'What refused the last retest, if an admin may confirm that this is the fix.',
  })
  refusal!: OfferedRefusalResponse | null;

  @ResponseField.one(ConfirmedRefusalResponse, {
    nullable: true,
    description: 'The refusal that counts as the fix, while the page and the twin are answered as they were.',
  })
  confirmed_refusal!: ConfirmedRefusalResponse | null;

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

const presentRefusal = ({ path, status, twin, twinStatus }: Refusal) => ({
  path,
  status,
  twin,
  twin_status: twinStatus,
});

export const presentBaseline = ({
  stored,
  taken,
  confirmed,
  current,
  retest,
  refusal,
  confirmedRefusal,
  experiment,
}: BaselineView): BaselineResponse => ({
  stored: stored && presentPage(stored),
  taken: taken?.toISOString() ?? null,
  confirmed_by: confirmed?.by ?? null,
  confirmed_at: confirmed?.at.toISOString() ?? null,
  counts_from: confirmed?.countsFrom.toISOString() ?? null,
  current: current && presentPage(current),
  retest,
  refusal: refusal && { ...presentRefusal(refusal.refusal), retest: refusal.retest, alike: [...refusal.alike] },
  confirmed_refusal: confirmedRefusal && {
    ...presentRefusal(confirmedRefusal.refusal),
    by: confirmedRefusal.by,
    at: confirmedRefusal.at.toISOString(),
    reason: confirmedRefusal.reason,
  },
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

const exampleOf = (parts: Partial<BaselineResponse>): BaselineResponse => ({
  stored: examplePage('Example shop'),
  taken: '2026-01-31T12:00:00.000Z',
  confirmed_by: null,
  confirmed_at: null,
  counts_from: null,
  current: null,
  retest: null,
  refusal: null,
  confirmed_refusal: null,
  experiment: null,
  ...parts,
});

export const baselineExample = exampleOf({
  current: examplePage('The new shop'),
  retest: '019a8c5e-7b00-7cc4-9a53-0d4f2c6b1e77',
});

export const confirmedBaselineExample = exampleOf({
  stored: examplePage('The new shop'),
  taken: '2026-01-31T12:10:00.000Z',
  confirmed_by: 12,
  confirmed_at: '2026-01-31T12:10:00.000Z',
  counts_from: '2026-01-31T13:10:00.000Z',
});

const refused = { path: 'GET /.env', status: 403, twin: 'GET /.env-nothing-000000000000', twin_status: 404 };

export const confirmedRefusalExample = exampleOf({
  confirmed_refusal: { ...refused, by: 12, at: '2026-01-31T12:10:00.000Z', reason: 'Dot files are denied.' },
});
