import { conflict } from './domain-error';

/** The moves of a state machine, as data: which state may become which. */
export class Transitions<State extends string | number> {
  constructor(
    private readonly noun: string,
    private readonly table: Readonly<Record<State, readonly State[]>>,
    /** How a state reads in a sentence; by default as it is. */
    private readonly label: (state: State) => string = String,
  ) {}

  /** The states that `state` may become. */
  from(state: State): readonly State[] {
    return this.table[state];
  }

  allows(from: State, to: State): boolean {
    return this.table[from].includes(to);
  }

  /** Refuses a move that is not among those possible, by default all of the table, with a conflict that names them. */
  requireAllowed(from: State, to: State, possible: readonly State[] = this.from(from)): void {
    if (possible.includes(to)) return;
    const labels = possible.map((state) => this.label(state));
    const rest = labels.length > 0 ? `it may become: ${labels.join(', ')}` : 'nothing follows it';
    throw conflict(`The ${this.noun} is ${this.label(from)} and cannot become ${this.label(to)}; ${rest}.`);
  }
}
