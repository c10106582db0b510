import { type Page, redirectOf } from '../page';
import { blockReason } from '../response-trust';
import { ExchangeFailed } from '../transport/exchange';
import { type HttpRequest, urlOf } from '../transport/http';
import type { Transport, Via } from '../transport/transport';
import type { AccountOrigins, SignInResult } from './account';
import { placeAt } from './account-origin';
import type { SignInStep } from './sign-in-report';

const MOST_REDIRECTS = 10;

/** How a sign-in ended before its end. */
export class SignInStopped extends Error {
  constructor(
    readonly result: SignInResult,
    reason: string,
  ) {
    super(reason);
  }
}

/** The requests of a sign-in, and what was recognised in their answers. */
export class SignInExchanges {
  readonly steps: SignInStep[] = [];
  readonly pages: Page[] = [];

  constructor(
    private readonly origins: AccountOrigins,
    private readonly transport: Transport,
    private readonly via: Via,
  ) {}

  /** Redirects are followed at the origins of the account, without the body. */
  async send(first: HttpRequest, what: string): Promise<Page> {
    let request = first;
    for (let hops = 0; ; hops += 1) {
      const page = await this.ask(request, hops === 0 ? what : 'the target of the redirect');
      const to = redirectOf(page);
      if (to === null || hops >= MOST_REDIRECTS) return page;
      const place = placeAt(this.origins, to);
      if (place === null) {
        this.recognised(`a redirect to ${to.origin}, which the account does not name: it was not followed`);
        return page;
      }
      request = { ...place, method: 'GET' };
    }
  }

  recognised(what: string): void {
    const last = this.steps.at(-1);
    if (last !== undefined) this.steps[this.steps.length - 1] = { ...last, recognised: `${last.recognised}; ${what}` };
  }

  private async ask(request: HttpRequest, recognised: string): Promise<Page> {
    const shown = `${request.method ?? 'GET'} ${urlOf(request).split('?', 1)[0]}`;
    try {
      const { value } = await this.transport.http(request, this.via);
      this.steps.push({ request: shown, status: value.status, recognised });
      const page = { ...value, hops: [] };
      this.pages.push(page);
      const blocked = blockReason(page);
      if (blocked === null) return page;
      throw new SignInStopped('not_possible', `${shown}: ${blocked}. Allow Assay to sign in, or try later`);
    } catch (error) {
      if (!(error instanceof ExchangeFailed)) throw error;
      this.steps.push({ request: shown, status: null, recognised: error.failure.reason });
      throw new SignInStopped(
        'not_possible',
        `${shown}: ${error.failure.reason}. Sign in again when the target answers`,
      );
    }
  }
}
