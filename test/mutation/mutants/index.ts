import type { Mutant } from '../mutant';
import { access } from './access';
import { engine } from './engine';
import { launching } from './launching';
import { records } from './records';
import { roles } from './roles';
import { verdict } from './verdict';
import { work } from './work';

/** Faults that the tests have to notice, one at a time. Whoever changes a line that is searched for brings it up to date. */
export const mutants: readonly Mutant[] = [
  ...access,
  ...roles,
  ...launching,
  ...engine,
  ...verdict,
  ...work,
  ...records,
];
