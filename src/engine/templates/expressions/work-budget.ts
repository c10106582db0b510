import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { ExpressionLimitExceeded, type Value } from './value';

/** A unit is about ten nanoseconds of the event loop, for the worst text of its length. */
const MOST_UNITS = 40_000_000;
/** For work that cannot be interrupted: about 25 milliseconds. */
const MOST_AT_ONCE = 2_500_000;
const UNITS_PER_TURN = 200_000;
const ITEM = 20;

/** Units for each character that a function takes or returns; by default two. */
const OF_FUNCTIONS = new Map<string, number>(
  Object.entries({
    0.125: 'contains containsall containsany endswith equalsany len regex regexall regexany startswith tolower',
    1: 'concat join padding repeat substr',
    3: 'generatejwt hmac htmlescape htmlunescape split tounixtime',
    6: 'aescbc base64decode base64py count deflate gzip gzipdecode hexdecode index inflate jsonminify mmh3 replace replaceregex xor zip zlib zlibdecode',
    20: 'compareversions jsonprettify randbase randchar randtextalpha randtextalphanumeric randtextnumeric reverse',
    40: 'removebadchars totitle trim trimleft trimright urldecode urlencode',
    100: 'datetime',
  }).flatMap(([units, names]) => names.split(' ').map((name) => [name, Number(units)] as const)),
);

const sizeOf = (value: Value): number =>
  typeof value === 'string'
    ? value.length
    : typeof value === 'object'
      ? value.reduce<number>((sum, one) => sum + ITEM + sizeOf(one), 0)
      : 1;

/** The budget for the expressions of one probe. They run on the event loop together with all other work. */
export class WorkBudget {
  private left = MOST_UNITS;
  private inTurn = 0;

  async spend(units: number): Promise<void> {
    this.left -= units;
    if (units > MOST_AT_ONCE || this.left < 0)
      throw new ExpressionLimitExceeded('the expressions of this check take too long with texts of this length');
    this.inTurn += units;
    if (this.inTurn < UNITS_PER_TURN) return;
    this.inTurn = 0;
    await yieldToEventLoop();
  }

  onTexts(values: readonly Value[], units = 0.125): Promise<void> {
    return this.spend(units * sizeOf(values));
  }

  onCall(name: string, values: readonly Value[]): Promise<void> {
    const plain = name.replaceAll('_', '');
    // Each line is compared with each word.
    const units = plain.startsWith('line') ? 2 * values.length : OF_FUNCTIONS.get(plain);
    return this.onTexts(values, units ?? 2);
  }
}
