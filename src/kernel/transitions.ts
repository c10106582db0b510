import { conflict } from './domain-error';

/** A state machine as data: the states that each state may become. */
export class Transitions<State extends string | number> {
  constructor(
    private readonly noun: string,
    private readonly table: Readonly<Record<State, readonly State[]>>,
    /** How error messages name a state. */
    private readonly label: (state: State) => string = String,
  ) {}

  /** The states that `state` may become. */
  from(state: State): readonly State[] {
    return this.table[state];
  }

  allows(from: State, to: State): boolean {
    return this.table[from].includes(to);
  }

  /** Throws a conflict that names the possible states. `possible` narrows those of the table. */
  requireAllowed(from: State, to: State, possible: readonly State[] = this.from(from)): void {
    if (possible.includes(to)) return;
    const labels = possible.map((state) => this.label(state));
    const rest = labels.length > 0 ? `it may become: ${labels.join(', ')}` : 'nothing follows it';
    throw conflict(`The ${this.noun} is ${this.label(from)} and cannot become ${this.label(to)}; ${rest}.`);
  }
}
