import { neverSubmitted, type Submitted } from '../../may-submit';
import { FORBIDDEN, type RefusalOfRequest } from '../crawl/frontier';
import type { FoundForm } from './found-form';

/** What is decided about: the request of a known point has no label. */
export type Judged = Submitted & Pick<FoundForm, 'obstacle'>;

interface FormRules {
  readonly isSignedIn: boolean;
  /** Whether an admin has forbidden, or allowed, this path and query. */
  readonly isForbidden: (path: string) => boolean;
  readonly isAllowed: (path: string) => boolean;
}

/** Why a form is not submitted, or null: asked when it is found, and before each submission. */
export function refusalOfForm(
  { obstacle, ...form }: Judged,
  { isSignedIn, isForbidden, isAllowed }: FormRules,
): RefusalOfRequest | null {
  if (isForbidden(form.path)) return FORBIDDEN;
  const word = neverSubmitted(form);
  if (word !== null) return { by: 'word', reason: word, isAllowable: false };
  if (isSignedIn && form.fields.some(({ name }) => /passw|pwd/i.test(name)))
    return { by: 'form', reason: 'it asks for a password', isAllowable: false };
  if (obstacle === null || isAllowed(form.path)) return null;
  return { by: 'form', reason: obstacle, isAllowable: true };
}
