/** A replica that is further behind is left out. */
const LONGEST_LAG_MS = 2_000;
/** Without newer samples, nothing is known of the primary. */
const OLDEST_NEWEST_MS = 1_000;

/** `16/B374D848`: two halves in hexadecimal. */
export function parsePosition(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

interface Sample {
  readonly asked: number;
  readonly position: bigint;
}

/** Where the primary was in the last seconds. */
export class Samples {
  private samples: Sample[] = [];

  add(asked: number, position: bigint): void {
    this.samples = [...this.samples.filter((one) => asked - one.asked <= LONGEST_LAG_MS), { asked, position }];
  }

  /** What a replica must have replayed that is at most two seconds behind; undefined if the primary is not known well enough. */
  positionBefore(now: number): bigint | undefined {
    const newest = this.samples.at(-1);
    if (newest === undefined || now - newest.asked > OLDEST_NEWEST_MS) return undefined;
    return this.samples.find(({ asked }) => now - asked <= LONGEST_LAG_MS)?.position;
  }
}
