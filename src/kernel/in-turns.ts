import { setImmediate as nextTurn } from 'node:timers/promises';

/** Much less than a request may wait for others. */
const TURN_MS = 10;

/** In each turn of the event loop one long task goes on: with ten, a turn would take ten times as long. */
let lastInLine: Promise<void> = Promise.resolve();

/** A long task in the event loop, which gives others a turn whenever its own has taken some milliseconds. */
export class Turns {
  private end = performance.now() + TURN_MS;

  async take(): Promise<void> {
    if (performance.now() < this.end) return;
    lastInLine = lastInLine.then(() => nextTurn());
    await lastInLine;
    this.end = performance.now() + TURN_MS;
  }
}

/** The items, with a turn for others whenever those before have taken some milliseconds. */
export async function* inTurns<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  const turns = new Turns();
  for (const item of items) {
    await turns.take();
    yield item;
  }
}
