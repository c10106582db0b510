import { ReadingTurns } from './reading-turns';

/** Steps that end when the test lets them. */
class Steps {
  readonly started: string[] = [];
  private readonly ends = new Map<string, (failure?: Error) => void>();

  take(turns: ReadingTurns, name: string): Promise<string> {
    return turns.take(() => {
      this.started.push(name);
      return new Promise((resolve, reject) => {
        this.ends.set(name, (failure) => (failure === undefined ? resolve(name) : reject(failure)));
      });
    });
  }

  async end(name: string, failure?: Error): Promise<void> {
    this.ends.get(name)?.(failure);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('ReadingTurns', () => {
  it('lets two files be read at a time, and the others in the order in which they asked', async () => {
    const turns = new ReadingTurns();
    const steps = new Steps();
    const taken = ['a', 'b', 'c', 'd'].map((name) => steps.take(turns, name));
    expect(steps.started).toEqual(['a', 'b']);
    await steps.end('b');
    expect(steps.started).toEqual(['a', 'b', 'c']);
    await steps.end('a');
    expect(steps.started).toEqual(['a', 'b', 'c', 'd']);
    await steps.end('c');
    await steps.end('d');
    expect(await Promise.all(taken)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('gives the turn of a step that failed to the next one', async () => {
    const turns = new ReadingTurns();
    const steps = new Steps();
    const [failing] = ['a', 'b', 'c'].map((name) => steps.take(turns, name));
    const failed = expect(failing).rejects.toThrow('unreadable');
    await steps.end('a', new Error('unreadable'));
    await failed;
    expect(steps.started).toEqual(['a', 'b', 'c']);
    await steps.end('b');
    await steps.end('c');
    const later = steps.take(turns, 'd');
    expect(steps.started).toEqual(['a', 'b', 'c', 'd']);
    await steps.end('d');
    expect(await later).toBe('d');
  });
});
