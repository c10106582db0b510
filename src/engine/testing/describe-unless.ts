/** `describe`, or `describe.skip` with the reason beside the name where something is missing that the tests need. */
export function describeUnless(missing: string | null | undefined, name: string, tests: () => void): void {
  if (missing == null) describe(name, tests);
  else describe.skip(`${name}: ${missing}`, tests);
}
