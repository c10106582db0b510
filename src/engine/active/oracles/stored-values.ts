import { parseUrl } from '../../../kernel/parse-url';
import { mayChange } from '../../may-change';
import { type Page, redirectOf } from '../../page';
import type { Experiment } from '../experiment';
import { pathOf } from '../insertion-point';
import { type Arrival, arrivalOf } from './stored-arrival';
import { JudgedAnswers } from './variants';

/** Pages that are read after a submission. */
const MOST_PAGES = 30;
/** Pages that are read again after each further submission. */
export const MOST_SHOWING = 3;

/** Stores values, and reads what pages make of them. */
export class StoredValues {
  readonly answers = new JudgedAnswers(this.experiment);

  constructor(
    private readonly experiment: Experiment,
    private readonly read: (path: string) => Promise<Page>,
  ) {}

  /** Null if something disturbed the submission. */
  async store(
    value: string,
    mark: string,
    expects: string,
    point = this.experiment.point,
  ): Promise<{ readonly led: string | null } | null> {
    const answer = await this.answers.answer(value, `${mark} ${expects}`, point);
    return answer && { led: this.pathAfter(answer) };
  }

  /** The pages that may show what is stored, the likeliest first. */
  pages(led: string | null): string[] {
    const { point, prior, probe } = this.experiment;
    const { submits } = point.request;
    const known = probe.submissions?.pages ?? [];
    const atSame = known.filter((path) => pathOf(path) === pathOf(point.request.path));
    const all = [prior.appearsAt, led, submits?.page, ...atSame, ...known].filter((path) => typeof path === 'string');
    return [...new Set(all)].slice(0, MOST_PAGES);
  }

  async arrivals(paths: readonly string[], mark: string): Promise<Map<string, Arrival>> {
    const found = new Map<string, Arrival>();
    for (const path of paths) {
      const arrival = arrivalOf(await this.read(path), mark);
      if (arrival !== 'nothing') found.set(path, arrival);
      if (found.size >= MOST_SHOWING) break;
    }
    if (found.size > 0)
      await this.experiment.probe.submissions?.shows(this.experiment.point.request, [...found.keys()]);
    return found;
  }

  private pathAfter(answer: Page): string | null {
    const to = redirectOf(answer);
    const path = to === null ? '' : `${to.pathname}${to.search}`;
    return to?.origin === parseUrl(answer.url)?.origin && !mayChange(path, '') ? path : null;
  }
}
