import { nextStep } from './next-step';

const START = new Date('2026-06-01T10:00:00Z');
const after = (seconds: number): Date => new Date(START.getTime() + seconds * 1_000);

describe('the next step of a run', () => {
  it.each([
    [0, 10],
    [39, 10],
    [100, 25],
    [1_200, 300],
    [86_400, 300],
  ])('%i seconds after the start comes after %i seconds', (passed, pause) => {
    expect(nextStep(START, [], after(passed))).toEqual(after(passed + pause));
  });

  it('comes when the window closes, if that is earlier', () => {
    const windows = ['Mo-Su 10:00-10:30 UTC'];
    expect(nextStep(START, windows, after(1_700))).toEqual(after(1_800));
    expect(nextStep(START, windows, after(100))).toEqual(after(125));
  });

  it('comes after a pause also while the window is closed', () => {
    expect(nextStep(START, ['Mo-Su 10:00-10:30 UTC'], after(1_800))).toEqual(after(2_100));
  });
});
