/** A step is one instruction for one character. Twenty million steps take about half a second. */
const LONGEST_SEARCH = 20_000_000;

/** Thrown when a search is too expensive: a large expression on a large text. */
export class SearchBudgetExceeded extends Error {
  constructor() {
    super('the responses are too long to search with the expressions of this check');
    this.name = 'SearchBudgetExceeded';
  }
}

/** The search budget of one probe. */
export class SearchBudget {
  private steps = 10 * LONGEST_SEARCH;

  spend(steps: number): void {
    this.steps -= steps;
    if (steps > LONGEST_SEARCH || this.steps < 0) throw new SearchBudgetExceeded();
  }
}
