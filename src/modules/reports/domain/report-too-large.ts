/** What no report can be made of; its message says how to get one. */
export class ReportTooLarge extends Error {}

/** How much text a report may hold: what is more would be read by nobody, and has to fit into memory several times over. */
export class TextBudget {
  private left: number;

  constructor(private readonly most: number) {
    this.left = most;
  }

  /** Takes what a part of the report holds off the budget. */
  spend(part: object): void {
    this.left -= JSON.stringify(part).length;
    if (this.left >= 0) return;
    throw new ReportTooLarge(
      `It would hold more than ${Math.round(this.most / 2 ** 20)} million characters. Leave out the evidence (include_evidence), or narrow it: a shorter period, a higher min_severity, fewer statuses.`,
    );
  }
}

export function demandAtMost(most: number, count: number, what: string): void {
  if (count <= most) return;
  throw new ReportTooLarge(
    `It would tell of more than ${most} ${what}. Narrow it: a shorter period, a higher min_severity, fewer statuses.`,
  );
}
