import { nextStepOf, withNextStep, type UndecidedTest } from './next-step';

const TEST: UndecidedTest = { result: 'inconclusive', reason: '', findingId: 12, offer: null, isOfJob: false };
const stepOf = (more: Partial<UndecidedTest>): string => nextStepOf({ ...TEST, ...more }) ?? '';

describe('what to do about a test that decided nothing', () => {
  it.each(['fixed', 'still_vulnerable', null])('is nothing if its result is %s', (result) => {
    expect(nextStepOf({ ...TEST, result })).toBeNull();
  });

  it('is to confirm what the retest saw, where it can be confirmed', () => {
    expect(stepOf({ result: 'blocked', offer: 'refusal' })).toContain('PUT /v1/findings/12/baseline/refusal');
    expect(stepOf({ offer: 'site' })).toContain('with PUT /v1/findings/12/baseline, and test again');
  });

  it('is a retest first, where a job saw it', () => {
    expect(stepOf({ result: 'blocked', offer: 'refusal', isOfJob: true })).toMatch(
      /^Retest finding 12\. If .* refusal/,
    );
    expect(stepOf({ reason: '/ differs from the baseline', isOfJob: true })).toContain('retest finding 12');
  });

  it('is at the target, where no finding is at the place or nothing can be confirmed', () => {
    expect(stepOf({ result: 'blocked', offer: 'refusal', isOfJob: true, findingId: null })).toMatch(/^Answer the path/);
    expect(stepOf({ result: 'blocked' })).toMatch(/^Answer the path in the way that paths/);
  });

  const REASONS: readonly (readonly [reason: string, step: string])[] = [
    [
      'the site has changed, and cannot be confirmed to be the same: /a shows the same page as another path',
      'Correct what the reason names last',
    ],
    ['/: a cache responds instead of the target: purge the cache, and retest', 'Purge the cache.'],
    ['/.env redirects to shop.test/, but missing paths do not redirect there', 'Do not redirect'],
    ['/.env redirects to a page that looks like a login (shop.test/login)', 'Do not redirect'],
    ['/ asks for a password', 'Answer without a sign-in'],
    ['a firewall responds instead of the target (403)', 'Let the requests of Assay pass'],
    ['it limits the request rate (429)', 'Let the requests of Assay pass'],
    ['it fails with 503', 'Test again when the target responds'],
    ['/: the page differs from the one in the baseline', 'Answer as before, and test again. If the new page has'],
    [
      'the response for a missing path has changed: it responds with 403 instead of 404',
      'Answer paths that do not exist',
    ],
    ['the response for a missing path has changed: it redirects to shop.test/login', 'Answer paths that do not exist'],
    ['the response for a missing path has changed: it fails with 503', 'Test again when the target responds'],
    ['the response for a missing path has changed: it limits the request rate (429)', 'Let the requests of Assay pass'],
    ['/: it asks for a password, which it did not do before', 'Let the page answer by itself, without a sign-in'],
    ['/: it redirects to shop.test/login, which it did not do before', 'Let the page answer by itself'],
    ['the tested page redirects to https://shop.test/', 'Let the page answer by itself'],
    ['/.env returns 200 with another page than missing paths do', 'Answer the path in the way that paths'],
    ['the tested page says that its domain is parked, so another owner may have responded', 'See who answers'],
    ['the weakness was not detected, but the scanner had the title "A": this may be another site', 'See who answers'],
    ['anonymous clients do not see whether it is there: /.env is refused with 401', 'Verify it yourself'],
    ['a.test has no address: it does not exist', 'Test again when the target responds'],
    ['the new baseline counts from 2026-11-28T10:00:00.000Z', 'Retest after the time'],
    ['the weakness was not detected, but there is no earlier detection to compare with', 'Test it while'],
    ['The target could not be tested: the asset is out of scope', 'Change what the reason names'],
    ['the value itself is no longer answered as it was', 'Let the point answer'],
    [
      'the weakness was not detected, but https://www.shop.test/.env still serves the file: it sets PASSWORD',
      'Remove the file there too, and test again.',
    ],
    ['51 parameters were not tested, because a job tests 150', 'Test them with an active job'],
    ['2,999 of 3,000 points were not reached: the requests of the job (20000) were used up', 'Run another active job'],
    ['not all pages were read, because a third of the requests and of the time is for that', 'Run another active job'],
    ['something else', 'Correct what the reason names, and test again.'],
  ];

  it.each(REASONS)('follows from the reason: %s', (reason, step) => {
    expect(stepOf({ reason })).toContain(step);
  });

  it('has at most 300 characters, for a job and for a retest', () => {
    const tests = REASONS.flatMap(([reason]) =>
      [null, 'site', 'refusal'].flatMap((offer) =>
        [true, false].map((isOfJob) =>
          stepOf({ reason, offer: offer as UndecidedTest['offer'], isOfJob, findingId: 1_234_567 }),
        ),
      ),
    );
    expect(tests.filter((step) => step.length > 300 || step === '')).toEqual([]);
  });

  it('follows the reason of a finding that was claimed and never seen', () => {
    expect(withNextStep('inconclusive', 'it fails with 503.')).toMatch(/^it fails with 503\. Next: Test again when/);
    expect(withNextStep('blocked', '/.env gets 403')).toMatch(/^\/\.env gets 403\. Next: Answer the path in the way/);
  });
});
