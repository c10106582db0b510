import {
  inconclusive,
  notVulnerable,
  type Observation,
  vulnerable,
  type WebCheck,
  type WebSubject,
  withoutSubject,
} from '../check';
import { Experiment, type Oracle } from './experiment';
import type { InsertionPoint } from '../experiment-record';
import type { Page } from '../page';
import { refusalBeside } from '../refused-alone';
import { pointAt } from './insertion-point';
import type { Outcome } from './outcome';

/** The description of an active check, without the fields that all active checks share. */
export type ActiveDescription = Omit<
  WebCheck,
  | 'on'
  | 'observe'
  | 'activity'
  | 'needsPoint'
  | 'sendsAll'
  | 'parametersIn'
  | 'appliesTo'
  | 'measuresTime'
  | 'callbacks'
>;

const NO_FORM = 'the form that it was found in is not known: a job with full tests finds it';

const isInBody = ({ kind }: InsertionPoint): boolean => kind === 'form' || kind === 'json';

/** Runs one experiment at the point of the subject. */
export async function observePoint(
  { target, page, probe, shown, experiment: before, isRepeat }: WebSubject,
  oracle: Oracle,
): Promise<Observation> {
  const point = before?.point ?? pointAt(target, shown);
  if (isInBody(point) && point.request.submits === undefined) return inconclusive(NO_FORM);
  const { variant = null } = before ?? {};
  const isVerification = before === null || variant !== null;
  const experiment = new Experiment(point, probe, variant, isRepeat, isVerification, before ?? {});
  const outcome = await experiment.run(oracle);
  if (outcome.state === 'proved') probe.keepExperiment(await experiment.record(outcome));
  return observationOf(outcome, point, page);
}

/** Converts the outcome of an experiment at a point into an observation. */
export async function observationOf(outcome: Outcome, point: InsertionPoint, page: Page): Promise<Observation> {
  if (outcome.state === 'proved') return vulnerable(outcome.detail);
  if (outcome.state === 'sound') return notVulnerable(outcome.detail);
  const { reason, refused } = outcome;
  if (refused === undefined) return outcome.hasNoSubject === true ? withoutSubject(reason) : inconclusive(reason);
  const { kind, name, request } = point;
  const place = `${request.path} [${kind} ${name}]`;
  const twin = { path: `${place} = ${refused.harmless}`, answer: refused.twin };
  const refusal = await refusalBeside(`${request.method ?? 'GET'} ${place}`, refused.answer, twin, page);
  return { state: 'blocked', detail: reason, refusal };
}

/** Whether a check that also tests whole pages should test one insertion point. */
export const isAboutPoint = ({ target, experiment }: WebSubject): boolean =>
  experiment !== null || target.within !== undefined;

/** Makes a check that proves a weakness at one insertion point by an experiment. */
export const activeCheck = (description: ActiveDescription, oracle: Oracle): WebCheck => ({
  ...description,
  on: 'page',
  activity: 'sends experiments that try to inject',
  needsPoint: true,
  sendsAll: true,
  parametersIn: () => [],
  appliesTo: oracle.appliesTo,
  measuresTime: oracle.measuresTime,
  callbacks: oracle.callbacks,
  observe: (subject) => observePoint(subject, oracle),
});
