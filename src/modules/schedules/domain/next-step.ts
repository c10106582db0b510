import { nextClosing, parseWindows } from '../../../kernel/opening-windows';

/** The next step comes after a quarter of the time since the start, within these bounds. */
const MIN_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 5 * 60_000;

/** When a worker looks after a run again: at the latest when its windows close, to stop what runs. */
export function nextStep(started: Date, windows: readonly string[], now: Date): Date {
  const pause = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, (now.getTime() - started.getTime()) / 4));
  const closing = nextClosing(parseWindows(windows), now);
  const next = new Date(now.getTime() + pause);
  return closing !== null && closing > now && closing < next ? closing : next;
}
