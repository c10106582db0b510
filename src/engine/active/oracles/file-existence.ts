import { randomInt } from 'node:crypto';
import { type Page, redirectOf } from '../../page';
import type { Experiment, Outcome } from '../experiment';
import type { JudgedAnswers } from './variants';

/** Folders of the kernel, each with a name that does not exist beside it. Nobody can create one there. */
const FOLDERS = [
  ['kernel', 'kernal'],
  ['vm', 'vn'],
  ['fs', 'fz'],
  ['net', 'nef'],
] as const;

const CHOICES = 30;

/** What an answer is apart from the name that was sent and from numbers. */
const lookOf = (answer: Page, name: string): string =>
  [answer.status, redirectOf(answer)?.pathname ?? '', answer.text.slice(0, 100_000)]
    .join(' ')
    .replaceAll(new RegExp(`\\b${name}\\b`, 'gi'), '')
    .replaceAll(/[\da-f]{16,}|\d+/gi, '#');

/**
 * Proves that a value is opened where the answer does not show the file. `/proc/sys/kernel/../../version` is a file and
 * `/proc/sys/kernal/../../version` is none, which only something that walks through folders can tell.
 */
export async function proveExistence(
  variant: string,
  prefix: string,
  experiment: Experiment,
  answers: JudgedAnswers,
): Promise<Outcome | null> {
  const look = async (exists: boolean, before = prefix): Promise<string | null> => {
    const [folder, none] = FOLDERS[randomInt(FOLDERS.length)] ?? FOLDERS[0];
    const name = exists ? folder : none;
    const expects =
      before === prefix ? `a file that ${exists ? 'exists' : 'does not exist'}` : 'control: no file either way';
    const answer = await answers.answer(`${before}proc/sys/${name}/../../version`, expects);
    return answer === null ? null : lookOf(answer, name);
  };
  const [missing, existing] = [await look(false), await look(true)];
  if (missing === null || existing === null || missing === existing) return null;
  const control = await look(true, '');
  if (control === null || control !== (await look(false, ''))) return null;
  for (let choice = 0; choice < (experiment.isRepeat ? 6 : CHOICES); choice += 1) {
    const exists = randomInt(2) === 0;
    if ((await look(exists)) !== (exists ? existing : missing)) return null;
  }
  if ((await look(true)) !== existing) return null;
  return {
    state: 'proved',
    detail: `The value of ${experiment.point.name} is looked up as a file: answers tell existing paths of /proc from missing ones that differ in one letter of a folder.`,
    certainty: `${CHOICES} times a path that exists or one that does not was drawn at random, and each answer was the one of its kind; without the way to the root, both were answered alike. Chance is 1 to 2^${CHOICES} = 1,073,741,824.`,
    variant,
  };
}
