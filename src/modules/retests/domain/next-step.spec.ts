import { nextStepOf, type UndecidedTest } from './next-step';

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

  it.each([
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
    ['/: the page differs from the one in the baseline', 'Answer as before'],
    ['the response for a missing path has changed: it responds with 403 instead of 404', 'Answer as before'],
    ['the new baseline counts from 2026-11-28T10:00:00.000Z', 'Retest after the time'],
    ['the weakness was not detected, but there is no earlier detection to compare with', 'Test it while'],
    ['The target could not be tested: the asset is out of scope', 'Change what the reason names'],
    ['the value itself is no longer answered as it was', 'Let the point answer'],
    ['something else', 'Correct what the reason names, and test again.'],
  ])('follows from the reason: %s', (reason, step) => {
    expect(stepOf({ reason })).toContain(step);
  });
});
