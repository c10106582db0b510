/** The names that each variable needs, by its own name. */
type Needs = ReadonlyMap<string, readonly string[]>;

/**
 * Variables that depend on themselves, found by Tarjan's algorithm, which visits each one once. Published templates write
 * `username: "{{username}}"` for a value that the user must state.
 */
export function variablesWithoutValue(needs: Needs): string[] {
  /** When a variable was first visited; Infinity once everything that it needs was visited. */
  const order = new Map<string, number>();
  const open: string[] = [];
  const found = new Set<string>();
  /** The first of the open variables that it leads back to. */
  const visit = (variable: string): number => {
    const own = order.size;
    order.set(variable, own);
    const at = open.push(variable) - 1;
    let first = own;
    for (const next of needs.get(variable) ?? []) {
      first = Math.min(first, order.get(next) ?? visit(next));
      if (next === variable) found.add(variable);
    }
    if (first < own) return first;
    const together = open.splice(at);
    for (const one of together) {
      order.set(one, Infinity);
      if (together.length > 1) found.add(one);
    }
    return Infinity;
  };
  for (const variable of needs.keys()) if (!order.has(variable)) visit(variable);
  return [...needs.keys()].filter((variable) => found.has(variable));
}
