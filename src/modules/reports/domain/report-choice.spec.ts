import { findingChoiceOf, includesEvidence } from './report-choice';
import { defaultReportOptions } from './report-options';

const period = {
  organizationId: 7,
  startDate: new Date('2026-01-01T00:00:00Z'),
  endDate: new Date('2026-02-01T00:00:00Z'),
};
const choice = (options: object) => findingChoiceOf({ ...defaultReportOptions, ...options }, period);

describe('choiceOf', () => {
  it('chooses everything that was seen in the period, by default', () => {
    expect(choice({})).toEqual({
      minSeverity: 0,
      statuses: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      seenFrom: period.startDate,
      seenTo: period.endDate,
      withoutIds: [],
      owner: null,
      organizationId: 7,
    });
  });

  it.each([
    [{ min_severity: 'high' }, { minSeverity: 4 }],
    [{ statuses: [6, 1] }, { statuses: [6, 1] }],
    [{ include_resolved: false }, { statuses: [1, 2, 3, 4, 6, 7, 8, 9, 10] }],
    [{ statuses: [1, 5], include_resolved: false }, { statuses: [1] }],
    [{ statuses: [5], include_resolved: false }, { statuses: [] }],
    [{ owner: 'group:3' }, { owner: 'group:3', organizationId: 7 }],
  ])('%j', (options, expected) => {
    expect(choice(options)).toMatchObject(expected);
  });
});

it.each([
  [{}, true],
  [{ include_evidence: false }, false],
  [{ sections: ['findings'] }, false],
  [{ sections: ['evidence'] }, true],
] as const)('includesEvidence %j', (options, expected) => {
  expect(includesEvidence({ ...defaultReportOptions, ...options })).toBe(expected);
});
