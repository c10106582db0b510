/** Leaves processors for the event loop, the database and tests of other organizations. */
const MAX_READING = 2;

/** The files that a process reads take turns, one step at a time, so that no file waits until another one is read completely. */
export class ReadingTurns {
  private reading = 0;
  private readonly waiting: (() => void)[] = [];

  readonly take = async <Result>(step: () => Promise<Result>): Promise<Result> => {
    if (this.reading < MAX_READING) this.reading += 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await step();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.reading -= 1;
      else next();
    }
  };
}
