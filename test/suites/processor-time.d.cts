declare class ProcessorTime {
  /** The processor time of something of everything that tests do, in milliseconds: 7 on a quiet machine. */
  static loopMs(): number;
  static summaryOf(run: {
    readonly records: readonly { readonly specs: readonly (readonly [string, number])[]; readonly loopMs: number }[];
    readonly totalMs: number | null;
    readonly isWhole: boolean;
    readonly budget?: number;
  }): { readonly lines: readonly string[]; readonly error: string | null };
}
export = ProcessorTime;
