import { scoreOfVector } from './cvss';

/** Scores that NVD and FIRST publish. Each row lists the mandatory metrics of its version in order. */
const PUBLISHED_3: readonly (readonly [string, string, number])[] = [
  ['CVE-2013-1937', '3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 6.1],
  ['CVE-2013-0375', '3.1/AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N', 6.4],
  ['CVE-2014-3566', '3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N', 3.1],
  ['CVE-2012-1516', '3.1/AV:N/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H', 9.9],
  ['CVE-2009-0783', '3.1/AV:L/AC:L/PR:H/UI:N/S:U/C:L/I:L/A:L', 4.2],
  ['CVE-2012-0384', '3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H', 8.8],
  ['CVE-2015-1098', '3.1/AV:L/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H', 7.8],
  ['CVE-2014-0160', '3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', 7.5],
  ['CVE-2014-6271', '3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8],
  ['CVE-2008-1447', '3.1/AV:N/AC:H/PR:N/UI:N/S:C/C:N/I:H/A:N', 6.8],
  ['CVE-2014-2005', '3.1/AV:P/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 6.8],
  ['CVE-2010-0467', '3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:L/I:N/A:N', 5.8],
  ['CVE-2012-1342', '3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:N/I:L/A:N', 5.8],
  ['CVE-2013-6014', '3.1/AV:A/AC:L/PR:N/UI:N/S:C/C:H/I:N/A:H', 9.3],
  ['CVE-2019-7551', '3.1/AV:N/AC:L/PR:L/UI:R/S:C/C:H/I:H/A:H', 9.0],
  ['CVE-2011-1265', '3.1/AV:A/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 8.8],
  ['CVE-2014-2019', '3.1/AV:P/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:N', 4.6],
  ['CVE-2015-0970', '3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H', 8.8],
  ['CVE-2014-0224', '3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:N', 7.4],
  ['CVE-2012-5376', '3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:H/I:H/A:H', 9.6],
  ['CVE-2016-0128', '3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:H/I:H/A:N', 6.8],
  ['CVE-2016-2118', '3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:H/I:H/A:H', 7.5],
  ['CVE-2021-44228', '3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', 10],
  ['CVE-2020-0601', '3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:N', 8.1],
  ['CVE-2019-5736', '3.1/AV:L/AC:L/PR:N/UI:R/S:C/C:H/I:H/A:H', 8.6],
  ['CVE-2016-5195', '3.0/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H', 7.8],
  ['CVE-2017-5754', '3.0/AV:L/AC:H/PR:L/UI:N/S:C/C:H/I:N/A:N', 5.6],
  ['CVE-2017-5638', '3.0/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', 10],
  ['CVE-2016-1645', '3.0/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H', 8.8],
  ['no impact', '3.0/AV:N/AC:H/PR:L/UI:N/S:C/C:N/I:N/A:N', 0],
  ['temporal', '3.0/S:U/AV:N/AC:L/PR:H/UI:N/C:L/I:L/A:N/E:F/RL:X', 3.7],
  [
    'all modified',
    '3.0/AV:N/AC:L/PR:N/UI:R/S:C/C:H/I:H/A:H/E:H/RL:O/RC:C/CR:H/IR:H/AR:H/MAV:N/MAC:L/MPR:L/MUI:N/MS:C/MC:H/MI:H/MA:H',
    9.5,
  ],
  ['requirements', '3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:L/A:L/E:P/CR:L/IR:L/AR:L/MAV:P', 2.8],
  ['4.6 in decimals, a hair more in binary', '3.0/AV:P/AC:L/PR:H/UI:R/S:U/C:L/I:L/A:H/E:H/RL:U/RC:U', 4.6],
];

const PUBLISHED_4: readonly (readonly [string, string, number])[] = [
  ['CVE-2022-41741', 'AV:L/AC:L/AT:P/PR:L/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 7.3],
  ['CVE-2020-3549', 'AV:N/AC:L/AT:P/PR:N/UI:P/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 7.7],
  ['CVE-2020-3549, unreported', 'AV:N/AC:L/AT:P/PR:N/UI:P/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/E:U', 5.2],
  ['CVE-2023-3089', 'AV:N/AC:L/AT:P/PR:N/UI:N/VC:H/VI:L/VA:L/SC:N/SI:N/SA:N', 8.3],
  ['CVE-2021-44714', 'AV:L/AC:L/AT:N/PR:N/UI:A/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N', 4.6],
  ['CVE-2022-21830', 'AV:N/AC:L/AT:N/PR:N/UI:A/VC:N/VI:N/VA:N/SC:L/SI:L/SA:N', 5.1],
  ['CVE-2022-22186', 'AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:L/VA:N/SC:N/SI:N/SA:N', 6.9],
  ['CVE-2023-21989', 'AV:L/AC:L/AT:N/PR:H/UI:N/VC:N/VI:N/VA:N/SC:H/SI:N/SA:N', 5.9],
  ['CVE-2016-5729', 'AV:L/AC:L/AT:N/PR:H/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H', 9.3],
  ['CVE-2015-2890', 'AV:L/AC:L/AT:P/PR:H/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H', 8.7],
  ['CVE-2018-3652', 'AV:P/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H', 8.6],
  ['CVE-2014-0160', 'AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N', 8.7],
  ['CVE-2014-6271', 'AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 9.3],
  ['CVE-2021-44228', 'AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H', 10],
  ['availability matters little', 'AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:H/SC:N/SI:N/SA:N/AR:L', 7.9],
  ['modified from none', 'AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:N/SC:N/SI:N/SA:N/MSI:H', 7.7],
  ['no impact', 'AV:A/AC:H/AT:P/PR:L/UI:P/VC:N/VI:N/VA:N/SC:N/SI:N/SA:N', 0],
  ['no impact, attacked', 'AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:N/SC:N/SI:N/SA:N/E:A', 0],
  ['hard but total', 'AV:P/AC:H/AT:P/PR:H/UI:A/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H/E:A', 7.3],
  ['the same with a proof of concept', 'AV:P/AC:H/AT:P/PR:H/UI:A/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H/E:P', 5.9],
  ['the same unreported', 'AV:P/AC:H/AT:P/PR:H/UI:A/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H/E:U', 4.1],
  ['requirements, one medium', 'AV:P/AC:H/AT:P/PR:H/UI:A/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H/CR:H/IR:H/AR:M', 7.2],
  ['requirements, all medium', 'AV:P/AC:H/AT:P/PR:H/UI:A/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H/CR:M/IR:M/AR:M', 5.5],
  ['requirements, all low', 'AV:P/AC:H/AT:P/PR:H/UI:A/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H/CR:L/IR:L/AR:L', 5.4],
  ['base', 'AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:L/VA:L/SC:H/SI:N/SA:L', 7.8],
  ['base', 'AV:N/AC:L/AT:N/PR:N/UI:A/VC:H/VI:H/VA:L/SC:N/SI:H/SA:N', 9.2],
  ['base', 'AV:N/AC:L/AT:N/PR:L/UI:A/VC:N/VI:L/VA:N/SC:H/SI:H/SA:L', 6.2],
  ['base', 'AV:N/AC:L/AT:N/PR:H/UI:A/VC:N/VI:N/VA:N/SC:H/SI:H/SA:H', 6.2],
  ['base', 'AV:N/AC:L/AT:P/PR:N/UI:N/VC:H/VI:N/VA:N/SC:L/SI:L/SA:L', 8.2],
  ['base', 'AV:N/AC:L/AT:P/PR:L/UI:N/VC:L/VI:L/VA:N/SC:L/SI:H/SA:H', 5.6],
  ['base', 'AV:N/AC:L/AT:P/PR:H/UI:A/VC:N/VI:L/VA:N/SC:N/SI:L/SA:N', 1.8],
  ['base', 'AV:N/AC:H/AT:N/PR:L/UI:P/VC:L/VI:N/VA:N/SC:H/SI:H/SA:H', 5.5],
  ['base', 'AV:N/AC:H/AT:N/PR:H/UI:A/VC:N/VI:N/VA:N/SC:N/SI:H/SA:N', 4],
  ['base', 'AV:N/AC:H/AT:P/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:L/SA:N', 9.5],
];

describe('scoreOfVector, on published vectors', () => {
  it.each(PUBLISHED_3)('%s: CVSS:%s is %d', (_, vector, score) => {
    expect(scoreOfVector(`CVSS:${vector}`)).toBe(score);
  });

  it.each(PUBLISHED_4)('%s: CVSS:4.0/%s is %d', (_, vector, score) => {
    expect(scoreOfVector(`CVSS:4.0/${vector}`)).toBe(score);
  });
});

describe('the grammar of CVSS vectors', () => {
  const BASE_3 = 'AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
  const BASE_4 = 'AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N';

  it('accepts the metrics of 3.x in any order, including undefined ones', () => {
    expect(scoreOfVector(`CVSS:3.1/${BASE_3.split('/').toReversed().join('/')}`)).toBe(9.8);
    expect(scoreOfVector(`CVSS:3.0/RC:X/${BASE_3}/E:X/MAV:X`)).toBe(9.8);
  });

  it('accepts the supplemental metrics of 4.0, which do not change the score', () => {
    expect(scoreOfVector(`CVSS:4.0/${BASE_4}/S:P/AU:Y/R:I/V:C/RE:H/U:Amber`)).toBe(9.3);
  });

  it.each([
    ['', 'must begin with'],
    [BASE_3, 'must begin with'],
    [`CVSS:2.0/${BASE_3}`, 'must begin with'],
    [`cvss:3.1/${BASE_3}`, 'must begin with'],
    [` CVSS:3.1/${BASE_3}`, 'must begin with'],
    [`constructor/${BASE_3}`, 'must begin with'],
    ['CVSS:3.1', 'lacks AV, AC, PR, UI, S, C, I, A'],
    ['CVSS:3.1/', 'contains ""'],
    [`CVSS:3.1/${BASE_3}/`, 'contains ""'],
    [`CVSS:3.1//${BASE_3}`, 'contains ""'],
    [`CVSS:3.1/${BASE_3}\n`, 'contains "A:H\n"'],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H', 'lacks A,'],
    ['CVSS:3.1/AV:X/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 'contains "AV:X"'],
    ['CVSS:3.1/av:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 'contains "av:N"'],
    ['CVSS:3.1/AV:N:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 'contains "AV:N:N"'],
    [`CVSS:3.1/${BASE_3}/A:H`, 'names A twice'],
    [`CVSS:3.1/${BASE_3}/E:A`, 'contains "E:A"'],
    [`CVSS:3.1/${BASE_3}/AT:N`, 'contains "AT:N"'],
    [`CVSS:3.1/${BASE_3}/toString:H`, 'contains "toString:H"'],
    [`CVSS:3.1/${BASE_3}/E`, 'contains "E"'],
    [`CVSS:4.0/${BASE_3}`, 'contains "S:U"'],
    [`CVSS:4.0/AC:L/AV:N/${BASE_4.slice(10)}`, 'names AV after AC'],
    [`CVSS:4.0/${BASE_4}/CR:H/E:A`, 'names E after CR'],
    [`CVSS:4.0/${BASE_4}/E:A/E:A`, 'names E twice'],
    [`CVSS:4.0/${BASE_4}/SC:S`, 'contains "SC:S"'],
    [`CVSS:4.0/${BASE_4}/MSC:S`, 'contains "MSC:S"'],
    [`CVSS:4.0/${BASE_4}/RL:O`, 'contains "RL:O"'],
    [`CVSS:4.0/${BASE_4}/U:red`, 'contains "U:red"'],
  ])('refuses %j', (vector, why) => {
    expect(() => scoreOfVector(vector)).toThrow(`cvss_vector ${why}`);
  });

  it('quotes only the beginning of an unknown part in its message', () => {
    expect(() => scoreOfVector(`CVSS:3.1/${'x'.repeat(60_000)}`)).toThrow(/^.{0,100}$/);
  });
});
