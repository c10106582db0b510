import type { IncomingMessage } from 'node:http';

/** How old the last check of the rights of a request may be. */
const MAX_AGE_MS = 1_000;

/** Has authenticated a request, and authenticates it again. Throws if it lacks a right that it had at first. */
export interface AccessGuard {
  askAgain(request: IncomingMessage): Promise<void>;
}

/** The access of a request. It has no function as a property: V8 would keep that with all that it refers to. */
export interface StandingAccess {
  readonly guard: AccessGuard;
  asked: number;
}

type Accessed = IncomingMessage & { access?: StandingAccess };

export function grantAccess(request: Accessed, guard: AccessGuard): void {
  request.access = { guard, asked: performance.now() };
}

/**
 * Called when a body has arrived, and before a part of a response is sent: a client may take any time for either, and its
 * credentials, membership or role may end meanwhile. Returns whether it checked again: never in a request's first second.
 */
export async function requireAccess(request: Accessed): Promise<boolean> {
  const { access } = request;
  const now = performance.now();
  if (access === undefined || now - access.asked < MAX_AGE_MS) return false;
  await access.guard.askAgain(request);
  access.asked = now;
  return true;
}
