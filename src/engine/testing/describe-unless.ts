/** `describe`, or `describe.skip` with the reason next to the name if something that the tests need is missing. */
export function describeUnless(missing: string | null | undefined, name: string, tests: () => void): void {
  if (missing == null) describe(name, tests);
  else describe.skip(`${name}: ${missing}`, tests);
}
