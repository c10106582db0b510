import { randomInt } from 'node:crypto';
import { type Experiment } from '../experiment';
import type { Outcome } from '../outcome';
import { type Answered, type Distinction, traitsOf } from './answer-traits';
import { certaintyOf, followConditions } from './follow-conditions';
import type { JudgedAnswers } from './variants';
import { randomWord } from '../../twins';

/** Folders of the kernel, in which nobody can create others. */
const FOLDERS = ['kernel', 'vm', 'fs', 'net'] as const;

/** Changes one letter, so that no word list contains the name. */
function withAnotherLetter(name: string): string {
  const at = randomInt(name.length);
  const letter = String.fromCharCode(97 + ((name.charCodeAt(at) - 97 + randomInt(1, 26)) % 26));
  return `${name.slice(0, at)}${letter}${name.slice(at + 1)}`;
}

/**
 * Proves that a value is opened as a file if the response does not show the file. `/proc/sys/kernel/../../version` is a file and
 * `/proc/sys/kernal/../../version` is not, which only something that walks through the folders can tell.
 */
export async function proveExistence(
  variant: string,
  prefix: string,
  experiment: Experiment,
  answers: JudgedAnswers,
): Promise<Outcome | null> {
  const ask = async (exists: boolean, before: string, expects: string): Promise<Answered | null> => {
    const folder = FOLDERS[randomInt(FOLDERS.length)] ?? FOLDERS[0];
    const value = `${before}proc/sys/${exists ? folder : withAnotherLetter(folder)}/../../version`;
    const answer = answers.isPointLeft ? null : await answers.answer(value, expects);
    return answer && { value, answer };
  };
  const control = async (exists: boolean, rule: Distinction): Promise<boolean | null> => {
    const answered = await ask(exists, `${randomWord()}/`, 'control: below a folder that does not exist');
    return answered && rule.isTrue(traitsOf(answered));
  };
  const followed = await followConditions(
    experiment,
    (exists) => ask(exists, prefix, exists ? 'a file that exists' : 'a file that does not exist'),
    async (learned) => {
      const isRead = await control(true, learned);
      return isRead !== null && (await control(false, learned)) === isRead;
    },
  );
  if (followed === null) return null;
  const { rule, leftOut } = followed;
  // Sent last, because people repeat the last request.
  const last = await ask(true, prefix, 'a file that exists');
  if (last === null || !rule.isTrue(traitsOf(last))) return null;
  return {
    state: 'proved',
    detail: `The value of ${experiment.point.name} is looked up as a file: answers tell existing paths of /proc from missing ones that differ in one letter of a folder.`,
    certainty: `${certaintyOf('paths that existed or did not', leftOut)} Below a folder that does not exist, the same paths were answered alike.`,
    variant,
    distinction: rule.kept(),
  };
}
