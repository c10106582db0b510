/** The names that each variable needs, by its own name. */
type Needs = ReadonlyMap<string, readonly string[]>;

function needsItself(variable: string, needs: Needs): boolean {
  const seen = new Set<string>();
  const waiting = [...(needs.get(variable) ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === variable) return true;
    if (!seen.has(next)) waiting.push(...(needs.get(next) ?? []));
    seen.add(next);
  }
  return false;
}

/** Published templates write `username: "{{username}}"` for a value that their user has to state. */
export const variablesWithoutValue = (needs: Needs): string[] =>
  [...needs.keys()].filter((variable) => needsItself(variable, needs));
