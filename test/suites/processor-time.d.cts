declare class ProcessorTime {
  static summaryOf(run: {
    readonly records: readonly { readonly specs: readonly (readonly [string, number])[]; readonly loopMs: number }[];
    readonly totalMs: number | null;
    readonly isWhole: boolean;
    readonly budget?: number;
  }): { readonly lines: readonly string[]; readonly error: string | null };
}
export = ProcessorTime;
