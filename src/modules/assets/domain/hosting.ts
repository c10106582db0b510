/** Who runs the host of an asset, if someone else does. */
export interface Hosting {
  readonly by: string;
  readonly target: string;
}

/** What an admin has confirmed about a host that someone else runs, each by its target. */
export interface HostingDecisions {
  /** It is the organization's own. */
  readonly ownTarget: string | null;
  /** Its operator permits wider tests. */
  readonly permittedTarget: string | null;
}

/** What is stored of an asset: both texts of the hosting are null, or none is. */
export interface StoredHosting extends HostingDecisions {
  readonly hostedBy: string | null;
  readonly hostedTarget: string | null;
}

/** `isLimited`: only ports 80 and 443 and passive checks, because nobody has confirmed more for this target. */
export type HostingState = Hosting & { readonly isLimited: boolean };

/** The only ports of a host that someone else runs, until an admin confirms more. */
export const PORTS_OF_SITES: readonly number[] = [80, 443];

export function storedHosting(stored: StoredHosting | undefined): Hosting | null {
  const { hostedBy: by = null, hostedTarget: target = null } = stored ?? {};
  return by === null || target === null ? null : { by, target };
}

/** Decisions are about the target that the admin saw. */
export const isLimitedByHosting = (hosting: Hosting | null, decisions: readonly HostingDecisions[]): boolean =>
  hosting !== null &&
  !decisions.some(({ ownTarget, permittedTarget }) => [ownTarget, permittedTarget].includes(hosting.target));

export const decided = (hosting: Hosting | null, decisions: readonly HostingDecisions[]): HostingState | null =>
  hosting && { ...hosting, isLimited: isLimitedByHosting(hosting, decisions) };
