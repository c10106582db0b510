import { ExpressionError } from './value';

interface Version {
  readonly numbers: readonly number[];
  /** Empty for a release, which is newer than its pre-releases. */
  readonly preRelease: readonly string[];
}

function parseVersion(text: string): Version {
  const [, digits, preRelease = ''] =
    /^\s*v?(\d{1,9}(?:\.\d{1,9}){0,20})(?:-?([A-Za-z][\dA-Za-z.~-]{0,100}|(?<=-)\d[\dA-Za-z.~-]{0,100}))?(?:\+[\dA-Za-z.~-]{0,100})?\s*$/.exec(
      text,
    ) ?? [];
  if (digits === undefined) throw new ExpressionError(`"${text.slice(0, 40)}" is not a version`);
  return { numbers: digits.split('.').map(Number), preRelease: preRelease === '' ? [] : preRelease.split('.') };
}

function comparePreRelease(one: readonly string[], other: readonly string[]): number {
  if (one.length === 0 || other.length === 0) return Math.sign(other.length - one.length);
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    const [left, right] = [one[at], other[at]];
    if (left === right) continue;
    if (left === undefined || right === undefined) return left === undefined ? -1 : 1;
    const [number, otherNumber] = [Number(left), Number(right)];
    if (!Number.isNaN(number) && !Number.isNaN(otherNumber)) return Math.sign(number - otherNumber);
    if (Number.isNaN(number) !== Number.isNaN(otherNumber)) return Number.isNaN(number) ? 1 : -1;
    return left < right ? -1 : 1;
  }
  return 0;
}

/** Negative if the first version is older, 0 if they are equal, otherwise positive. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [parseVersion(one), parseVersion(other)];
  for (let at = 0; at < Math.max(left.numbers.length, right.numbers.length); at += 1) {
    const difference = (left.numbers[at] ?? 0) - (right.numbers[at] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return comparePreRelease(left.preRelease, right.preRelease);
}

const MEANINGS: Readonly<Record<string, (order: number) => boolean>> = {
  '': (order) => order === 0,
  '=': (order) => order === 0,
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** Whether a version meets a constraint such as `>= 1.2`. */
export function meetsConstraint(version: string, constraint: string): boolean {
  const [, operator = '', wanted = ''] = /^\s*([<>=!~^]{0,2})\s*(.*)$/s.exec(constraint) ?? [];
  const meaning = MEANINGS[operator];
  if (meaning === undefined) throw new ExpressionError(`"${constraint.slice(0, 40)}" is not a constraint of versions`);
  return meaning(compareVersions(version, wanted));
}
