/** Node requires this file before a process whose clock is to be wrong. */
const aheadMs = Number(process.env.CLOCK_AHEAD_MS);
const now = Date.now.bind(Date);

globalThis.Date = class Date extends globalThis.Date {
  constructor(...parts) {
    super(...(parts.length === 0 ? [now() + aheadMs] : parts));
  }

  static now() {
    return now() + aheadMs;
  }
};
