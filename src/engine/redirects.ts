/** The parameters by name: their values differ from one redirect to the next. */
const parametersOf = (to: URL): string => [...new Set(to.searchParams.keys())].sort().join(' ');

/** Whether two paths are sent to one place, or each to its own of the same kind, with the path kept in it. */
export function leadAlike(path: string, to: URL, otherPath: string, otherTo: URL): boolean {
  if (to.origin !== otherTo.origin || parametersOf(to) !== parametersOf(otherTo)) return false;
  const kept = path === '/' ? to.pathname.replace(/\/$/, otherPath) : to.pathname.replaceAll(path, otherPath);
  return to.pathname === otherTo.pathname || kept === otherTo.pathname;
}
