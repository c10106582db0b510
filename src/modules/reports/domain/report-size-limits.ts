import { ReportGenerationError } from './report.errors';

/** Limits the text of a report, which has to fit into memory several times. */
export class TextBudget {
  private left: number;

  constructor(private readonly most: number) {
    this.left = most;
  }

  /** Takes the size of a part of the report off the budget. */
  spend(part: object): void {
    if (this.hasRoomFor(part)) return;
    throw new ReportGenerationError(
      `It holds more than ${Math.round(this.most / 2 ** 20)} million characters. Leave out the evidence (include_evidence), or narrow it: a shorter period, a higher min_severity, fewer statuses.`,
    );
  }

  /** The same for a part that may be left out. */
  hasRoomFor(part: object): boolean {
    this.left -= JSON.stringify(part).length;
    return this.left >= 0;
  }
}

export function requireAtMost(most: number, count: number, what: string): void {
  if (count <= most) return;
  throw new ReportGenerationError(
    `It includes more than ${most} ${what}. Narrow it: a shorter period, a higher min_severity, fewer statuses.`,
  );
}
