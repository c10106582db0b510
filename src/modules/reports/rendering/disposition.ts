export type Disposition = 'open' | 'resolved' | 'set_aside';

/**
 * What a status means to a reader. A spec compares this with the rules of the module findings, which would bring the whole
 * module into the process that renders.
 */
export function dispositionOf(status: number): Disposition {
  if (status === 5) return 'resolved';
  return status < 5 ? 'open' : 'set_aside';
}
