import { DomainError } from '../../kernel/domain-error';
import type { Page } from '../frame/page';

type ShowAgain = (problem: string) => Page | Promise<Page>;

/** A refusal that shows the page of the form again. The interceptor does it after the rollback. */
export class RefusedForm extends DomainError {
  constructor(
    readonly reason: DomainError,
    private readonly show: ShowAgain,
  ) {
    super(reason.kind, reason.message, reason.retryAfter);
  }

  showAgain(): Page | Promise<Page> {
    return this.show(this.reason.message);
  }
}

/** Runs the work of a form. If it is refused, the page is shown again with what was typed, and with the reason. */
export async function orShowAgain<T>(work: () => Promise<T>, show: ShowAgain): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof DomainError && error.kind !== 'unavailable' ? new RefusedForm(error, show) : error;
  }
}
