import {
  challengeNames,
  evaluateTxtAnswer,
  evaluateTxtAnswers,
  newVerificationToken,
  type TxtAnswer,
  txtFailureOf,
  verificationTxtRecord,
} from './domain-proof';

const TOKEN = '0123456789abcdef0123456789abcdef';
const RECORD = verificationTxtRecord(TOKEN);
const evaluate = (records: TxtAnswer['records']) => evaluateTxtAnswer({ name: 'example.com', records }, TOKEN);

describe('the record', () => {
  it('carries a token that cannot be guessed, at one of two names', () => {
    expect(newVerificationToken()).toMatch(/^[0-9a-f]{32}$/);
    expect(newVerificationToken()).not.toBe(newVerificationToken());
    expect(RECORD).toBe(`assay-verification=${TOKEN}`);
    expect(challengeNames('example.com')).toEqual(['_assay-challenge.example.com', 'example.com']);
  });
});

describe('evaluateTxtAnswer', () => {
  it.each<[string, TxtAnswer['records']]>([
    ['the record', [[RECORD]]],
    ['the record among others', [['v=spf1 -all'], [RECORD], ['assay-verification=other']]],
    ['the record in pieces', [[RECORD.slice(0, 9), RECORD.slice(9, 20), RECORD.slice(20)]]],
    ['the record with spaces around it', [[` ${RECORD} `]]],
    ['the record in a huge answer', [...Array.from({ length: 5000 }, () => ['x'.repeat(255)]), [RECORD]]],
  ])('finds %s', (_, records) => {
    expect(evaluate(records)).toEqual({ verdict: 'found', reason: 'example.com has the record.' });
  });

  it.each<[TxtAnswer['records'], string]>([
    ['no_record', 'example.com has no TXT record.'],
    [[['v=spf1 -all']], 'example.com has 1 TXT record, but no assay-verification= record.'],
    [[], 'example.com has no TXT record.'],
    [[['a'], ['b']], 'example.com has 2 TXT records, but no assay-verification= record.'],
    [[[RECORD.toUpperCase()]], 'example.com has 1 TXT record, but no assay-verification= record.'],
    [[[TOKEN]], 'example.com has 1 TXT record, but no assay-verification= record.'],
    [[[`${RECORD}0`]], 'example.com has an assay-verification= record, but with another token.'],
    [[['assay-verification=secret'], ['x']], 'example.com has an assay-verification= record, but with another token.'],
    [
      [[RECORD.slice(0, 30)], [RECORD.slice(30)]],
      'example.com has an assay-verification= record, but with another token.',
    ],
  ])('finds none in %j', (records, reason) => {
    expect(evaluate(records)).toEqual({ verdict: 'absent', reason });
  });

  it.each(['ESERVFAIL', 'EREFUSED', 'ETIMEOUT', 'EBADRESP', 'EFORMERR', 'ECONNREFUSED', 'ECANCELLED', 'EWHATEVER'])(
    'has the verdict unknown for %s',
    (code) => {
      expect(evaluate(txtFailureOf(code))).toEqual({
        verdict: 'unknown',
        reason: expect.stringMatching(/^example\.com could not be looked up/),
      });
    },
  );

  it.each(['ENOTFOUND', 'ENODATA', 'EBADNAME'])('has the verdict absent for %s', (code) => {
    expect(evaluate(txtFailureOf(code)).verdict).toBe('absent');
  });
});

describe('evaluateTxtAnswers', () => {
  const both = (first: TxtAnswer['records'], second: TxtAnswer['records']) =>
    evaluateTxtAnswers(
      [
        { name: 'a', records: first },
        { name: 'b', records: second },
      ],
      TOKEN,
    );

  it('needs only one name with the record', () => {
    expect(both('timeout', [[RECORD]])).toEqual({ verdict: 'found', reason: 'b has the record.' });
    expect(both([[RECORD]], 'no_record').verdict).toBe('found');
  });

  it('says absent only when both names have answered', () => {
    expect(both('no_record', [['x']]).verdict).toBe('absent');
    expect(both('no_record', 'timeout')).toEqual({
      verdict: 'unknown',
      reason: 'a has no TXT record. b could not be looked up in time.',
    });
    expect(both('server_failure', 'no_record').verdict).toBe('unknown');
  });
});
