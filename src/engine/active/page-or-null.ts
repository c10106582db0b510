import type { Page } from '../page';
import { ExchangeFailed } from '../transport/exchange';

/** Null if there was no response. */
export async function pageOrNull(ask: () => Promise<Page>): Promise<Page | null> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ExchangeFailed)) throw error;
    return null;
  }
}
