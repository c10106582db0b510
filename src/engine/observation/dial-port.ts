import { ExchangeFailed, type FailureCode } from '../transport/exchange';
import type { Place } from '../transport/route';
import type { Transport, Via } from '../transport/transport';
import type { PortState } from './host-seen';
import type { PortLook } from './port-look';

const STATES: Partial<Record<FailureCode, PortState>> = {
  refused: 'closed',
  reset: 'closed',
  unreachable: 'filtered',
  timeout: 'filtered',
};

/** The result of a dial: the state of the port, or a reason that is unrelated to the port. */
export type Dialled = { readonly state: PortState } | { readonly refusal: string };

/** Connects to a port. Without `look`, it sends nothing. */
export async function dialPort(transport: Transport, place: Place, via: Via, look: PortLook | null): Promise<Dialled> {
  let isOpen = false;
  try {
    await transport.converse(place, via, async (line) => {
      isOpen = true;
      await look?.talk(line);
    });
    return { state: 'open' };
  } catch (error) {
    if (!(error instanceof ExchangeFailed)) throw error;
    if (isOpen) return { state: 'open' };
    const { code, reason } = error.failure;
    const state = STATES[code];
    return state === undefined ? { refusal: reason } : { state };
  }
}
