/** Why jobs do not run a template, or null. */
export function notInJobs({
  unsafeMethods,
  missingValues,
}: {
  readonly unsafeMethods: readonly string[];
  readonly missingValues: readonly string[];
}): string | null {
  if (unsafeMethods.length > 0) return `it sends ${unsafeMethods.join(', ')}, which may change state on the target`;
  return missingValues.length > 0 ? `it needs values for ${missingValues.join(', ')}` : null;
}
