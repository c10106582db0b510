import { defaultSla, dueDateOf, dueDateOfFinding, type Sla } from './sla';

const sla: Sla = { ...defaultSla, critical: 3, medium: null };

const finding = {
  severity: 5,
  created: new Date('2026-01-01T23:30:00Z'),
  deadlineStart: null,
  dueDate: '2026-06-01',
  dueByHand: false,
};

it.each([
  ['a critical finding', 'critical', '2026-01-04'],
  ['a cosmic finding the limit of a critical one', 'cosmic', '2026-01-04'],
  ['a severity without a limit no date', 'medium', null],
  ['findings that are no risk no date', 'info', null],
] as const)('gives %s', (_name, severity, expected) => {
  expect(dueDateOf(sla, severity, '2026-01-01')).toBe(expected);
});

it('counts from the day of the record, or from the day on which it was reopened', () => {
  expect(dueDateOfFinding(sla, finding)).toBe('2026-01-04');
  expect(dueDateOfFinding(sla, { ...finding, deadlineStart: '2026-02-01' })).toBe('2026-02-04');
});

it('keeps a due date that a person has set', () => {
  expect(dueDateOfFinding(sla, { ...finding, dueByHand: true })).toBe('2026-06-01');
});
