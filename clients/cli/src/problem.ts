/** An error whose message and next step are for the user. `code` is the exit code. */
export class Problem extends Error {
  constructor(
    message: string,
    readonly next?: string,
    readonly code: number = EXIT.inconclusive,
  ) {
    super(message);
  }
}

/** As docs/pipelines.md has them. */
export const EXIT = { success: 0, failed: 1, inconclusive: 2, nothingTested: 3 } as const;
