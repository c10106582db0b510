export type Standing = 'stands' | 'resolved' | 'aside';

/**
 * What a status means to a reader. The numbers are those of the interface; a spec holds this against the findings' own
 * rules, which are not asked here because the whole of their module would come along into the thread that renders.
 */
export function standingOf(status: number): Standing {
  if (status === 5) return 'resolved';
  return status < 5 ? 'stands' : 'aside';
}
