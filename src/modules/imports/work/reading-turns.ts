/** So that the event loop, the database and the tests of others have processors left. */
const MAX_READING = 2;

/** The files that a process reads take turns, step by step, so that none of them waits for a whole other file. */
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
