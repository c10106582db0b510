import { type Page, redirectOf } from '../../page';
import { refreshesOf } from '../../protocols/http/refresh';
import { looksLikeLogin } from '../../response-trust';
import { type Experiment, type Oracle, randomWord } from '../experiment';
import type { Outcome } from '../outcome';
import type { InsertionPoint } from '../experiment-record';
import { firstProof, JudgedAnswers, type Reader } from './variants';

/** `@` stands for a random name that nobody can own, `*` for the host of the target: filters look for either. */
const ADDRESSES = [
  'https://@/',
  '//@/',
  '/\\@/',
  'https:@',
  'https://*@@/',
  'https://*.@/',
  'https://@/*',
  '@@/',
  '.@/',
];
/** Where nothing hints at an address. */
const USUAL_ADDRESSES = 2;
const ADDRESS = /^(?:[a-z]+:|\/|www\.)|\.\w/i;

const placesOf = (answer: Page): URL[] => [redirectOf(answer), ...refreshesOf(answer)].filter((to) => to !== null);

interface Attempt {
  readonly value: string;
  readonly host: string;
  readonly read: Reader;
}

function attempt(address: string, target: string): Attempt {
  const host = `${randomWord()}.example`;
  const at = address.lastIndexOf('@');
  return {
    value: `${address.slice(0, at)}${host}${address.slice(at + 1)}`.replace('*', target),
    host,
    read: (answer) => {
      const to = placesOf(answer).find(({ hostname }) => hostname === host || hostname.endsWith(`.${host}`));
      return to === undefined ? null : `it leads to ${to.hostname}`;
    },
  };
}

async function hostOf(experiment: Experiment): Promise<string> {
  const original = await experiment.original();
  await experiment.disturbance(original);
  return new URL(original.url).hostname;
}

async function prove(address: string, experiment: Experiment, answers: JudgedAnswers): Promise<Outcome | null> {
  const { point } = experiment;
  const target = address.includes('*') ? await hostOf(experiment) : '';
  const shown = async (): Promise<string | null> => {
    const { value, host, read } = attempt(address, target);
    return (await answers.shows(value, `it leads to ${host}`, read)) === null ? null : host;
  };
  if ((await shown()) === null) return null;
  const control = attempt(address, target);
  const elsewhere: InsertionPoint = { ...point, kind: 'query', name: randomWord() };
  const isOfPoint = await answers.lacks(
    control.value,
    `control: as the parameter ${elsewhere.name} it leads nowhere`,
    control.read,
    elsewhere,
  );
  const host = isOfPoint ? await shown() : null;
  if (host === null) return null;
  return {
    state: 'proved',
    detail: `The value of ${point.name} decides where the response leads: ${host}, a name that was made up for this request.`,
    certainty: `Two random names of nine letters below .example, which nobody can own, became the places that the responses lead to, and as the value of another parameter a third one did not. Chance is 1 to 20^9 = 512,000,000,000 for each.`,
    variant: address,
  };
}

/** Statuses that refuse an address. */
const REFUSED = new Set([400, 422]);

/** A fix refuses an address, or replaces it by a place of the site. A page of any other status may be that of a firewall. */
function leadsNowhereElse(page: Page): boolean {
  const to = redirectOf(page);
  if (to === null) return REFUSED.has(page.status);
  return to.origin === new URL(page.url).origin && !looksLikeLogin(to);
}

/** The value may be such an address, or one that the site shows before it is left. */
const mayAnswer = (page: Page, value: string): boolean =>
  leadsNowhereElse(page) || (page.status === 200 && /^https?:/.test(value) && page.text.includes(value));

/** Proves that a value is the address that the response leads to. */
export const redirectElsewhere: Oracle = {
  // An application that checks the value shows it only if it likes it.
  appliesTo: ({ reflected, original }) => reflected || redirectOf(original) !== null,
  mayAnswer,
  observe(experiment) {
    const answers = new JudgedAnswers(experiment);
    return firstProof(experiment, answers, {
      candidates: async () => {
        const original = await experiment.original();
        const isHinted = ADDRESS.test(experiment.point.value) || placesOf(original).length > 0;
        await experiment.disturbance(original);
        return isHinted ? ADDRESSES : ADDRESSES.slice(0, USUAL_ADDRESSES);
      },
      prove: (address) => prove(address, experiment, answers),
      otherwise: 'no address in the value decides where the response leads',
      isFix: leadsNowhereElse,
    });
  },
};
