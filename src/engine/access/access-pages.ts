import type { AccessVisitor } from '../access-record';
import { referencesIn } from '../active/crawl/references-in';
import { mayChange } from '../may-change';
import { isHtml } from '../page';
import { forbiddenSignedIn } from '../signed-in/ending-words';
import type { WebTarget } from '../target';
import { originOf } from '../transport/http';
import { type AccessAnswer, identifiersOf, isServed } from './access-visit';
import { type ObjectPath, pathsInJson } from './object-paths';
import { mentions, shows } from './private-values';

const LONGEST_PATH = 500;
/** Anyone who has such an address may use it. */
const IS_KEY =
  /[?&;][\w-]{0,40}(?:sig(?:nature)?|token|hash|hmac|expires|session(?:id)?|sid|ticket|jwt|nonce|api[-_]?key)=/i;

/** Requests that only read and do not sign out. The label is the text of a link to the address. */
const isReading = (path: string, label = ''): boolean =>
  path.startsWith('/') &&
  path.length <= LONGEST_PATH &&
  !IS_KEY.test(path) &&
  !mayChange(path, label) &&
  forbiddenSignedIn(path, label) === null;

/** What pages lead to on the same origin, with what lists in JSON name. */
function pathsIn(target: WebTarget, { path, page }: AccessAnswer): string[] {
  if (!isHtml(page)) return pathsInJson(path, page.text);
  const origin = originOf(target);
  return referencesIn(page).flatMap(({ url, sent, source, label }) => {
    const found = `${url.pathname}${url.search}`;
    const isLink = sent === undefined && source !== 'form' && url.origin === origin;
    return isLink && isReading(found, label) ? [found] : [];
  });
}

/** What each visitor was shown, and which requests its pages name. */
export class AccessPages {
  private readonly answers = new Map<AccessVisitor, Map<string, AccessAnswer>>();
  private readonly paths = new Map<AccessVisitor, Set<string>>();

  constructor(private readonly target: WebTarget) {}

  /** What was shown in a session that had ended does not count. */
  forget(): void {
    this.answers.clear();
    this.paths.clear();
  }

  know(visitor: AccessVisitor, paths: readonly string[]): void {
    const known = this.paths.get(visitor) ?? new Set();
    for (const path of paths) if (isReading(path)) known.add(path);
    this.paths.set(visitor, known);
  }

  keep(visitor: AccessVisitor, answer: AccessAnswer | null): void {
    if (answer === null) return;
    const answers = this.answers.get(visitor) ?? new Map<string, AccessAnswer>();
    answers.set(answer.path, answer);
    this.answers.set(visitor, answers);
    if (isServed(answer)) this.know(visitor, pathsIn(this.target, answer));
  }

  pathsOf(visitor: AccessVisitor): readonly string[] {
    return [...(this.paths.get(visitor) ?? [])];
  }

  /** The requests of one account that the other account does not have. */
  ownPathsOf(visitor: AccessVisitor, than: AccessVisitor): string[] {
    const others = this.paths.get(than) ?? new Set();
    return this.pathsOf(visitor).filter((path) => !others.has(path));
  }

  commonPathsOf(one: AccessVisitor, other: AccessVisitor): string[] {
    const others = this.paths.get(other) ?? new Set();
    return this.pathsOf(one).filter((path) => others.has(path));
  }

  answerOf(visitor: AccessVisitor, path: string): AccessAnswer | null {
    return this.answers.get(visitor)?.get(path) ?? null;
  }

  /** Whether any page that the visitor was shown has the value. */
  mentions(visitor: AccessVisitor, value: string): boolean {
    return [...(this.answers.get(visitor)?.values() ?? [])].some(({ page }) => mentions(page.text, value));
  }

  /**
   * Whether the value is one of the account itself: at an address that both request, the owner is shown it, and the other is
   * shown another page. A list of objects does not say whose they are, as lists of what is suggested to a user do not.
   */
  isOfAccount(owner: AccessVisitor, other: AccessVisitor, value: string, object: ObjectPath | null): boolean {
    return [...(this.answers.get(owner)?.values() ?? [])].some((answer) => {
      const theirs = this.answerOf(other, answer.path);
      if (!isServed(answer) || !isServed(theirs) || !identifiersOf(answer).has(value)) return false;
      const namesObject = object !== null && shows(answer.text, object.id);
      return !namesObject && !mentions(theirs.page.text, value);
    });
  }
}
