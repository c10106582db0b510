/** A step is a character against an instruction: twenty million are about half a second. */
const LONGEST_SEARCH = 20_000_000;

/** Linear in the text, but a large expression on a large text is still more than we do for a stranger. */
export class SearchBudgetExceeded extends Error {
  constructor() {
    super('the responses are too long to search with the expressions of this check');
    this.name = 'SearchBudgetExceeded';
  }
}

/** What one look of a check may spend on searching. */
export class SearchBudget {
  private steps = 10 * LONGEST_SEARCH;

  spend(steps: number): void {
    this.steps -= steps;
    if (steps > LONGEST_SEARCH || this.steps < 0) throw new SearchBudgetExceeded();
  }
}
