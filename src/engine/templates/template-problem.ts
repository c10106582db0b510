import { invalid } from '../../kernel/domain-error';

export type ProblemPath = readonly (string | number)[];

/** Why a template does not run. */
export interface TemplateProblem {
  readonly path: ProblemPath;
  readonly reason: string;
}

export const placeText = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');

export const problemText = ({ path, reason }: TemplateProblem): string => {
  const place = placeText(path);
  return place === '' ? reason : `${place}${/^(?:is not supported|sends )/.test(reason) ? ' ' : ': '}${reason}`;
};

const MOST_SHOWN = 5;

export const templateRefusal = (problems: readonly TemplateProblem[]): Error =>
  invalid(`check: ${problems.slice(0, MOST_SHOWN).map(problemText).join('; ')}.`);
