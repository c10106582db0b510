import { placeOf } from '../check';
import { parseTarget } from '../target';
import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { missingHsts } from './missing-hsts';

const hsts = (value: string): Site => ({ headers: { 'strict-transport-security': value } });

truthTable(missingHsts, {
  vulnerable: {},
  fixed: hsts('max-age=31536000; includeSubDomains'),
  alsoVulnerable: {
    'max-age is 0': hsts('max-age=0'),
    'max-age is short': hsts('max-age=86400'),
    'there is no max-age': hsts('includeSubDomains'),
    'max-age is stated twice': hsts('max-age=31536000; Max-Age=0'),
    'another directive is stated twice': hsts('includeSubDomains; max-age=31536000; includesubdomains'),
    'max-age is no number': hsts('max-age=31536000x'),
  },
  alsoFixed: {
    'the value is quoted': hsts('Max-Age="31536000"'),
    'there are empty directives': hsts('max-age=31536000;; includeSubDomains;'),
    'max-age comes last': hsts('includeSubDomains ; preload; max-age = 15552000'),
  },
});

describe('missing-hsts', () => {
  it.each([
    ['http://www.example.com/', 'over https only'],
    ['https://192.0.2.1/', 'for names only'],
  ])('has nothing to test on %s', (url, reason) => {
    expect(placeOf(missingHsts, parseTarget(url))).toEqual({
      applicable: false,
      reason: expect.stringContaining(reason),
    });
  });
});
