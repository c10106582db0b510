interface UsedNames {
  /** Each with the labels that its selector names. */
  readonly metrics: readonly { readonly name: string; readonly labels: readonly string[] }[];
  /** Labels of `by`, `without` and the like. */
  readonly groupLabels: readonly string[];
}

const GROUPINGS = new Set(['by', 'without', 'on', 'ignoring', 'group_left', 'group_right']);
const KEYWORDS = new Set(['and', 'or', 'unless', 'bool', 'offset']);
const IDENTIFIER = /[A-Za-z_:][\w:]*/g;

/** The names in an expression of Prometheus. Understands what the dashboard and the alerts use. */
export function namesInExpression(expression: string): UsedNames {
  // Texts and durations have no names.
  const text = expression.replace(/"(?:[^"\\]|\\.)*"/g, '""').replace(/\[[^\]]*\]/g, '');
  const groupLabels: string[] = [];
  const rest = text.replace(/\b(\w+)\s*\(([\w\s,]*)\)/g, (whole, word: string, labels: string) => {
    if (!GROUPINGS.has(word)) return whole;
    groupLabels.push(...(labels.match(IDENTIFIER) ?? []));
    return '';
  });
  const metrics: { name: string; labels: string[] }[] = [];
  for (const [, name = '', selector, call] of rest.matchAll(
    /(?<![\w.{,:])([A-Za-z_:][\w:]*)\s*(?:\{([^}]*)\}|(\())?/g,
  )) {
    if (call !== undefined || KEYWORDS.has(name)) continue;
    metrics.push({ name, labels: (selector ?? '').match(IDENTIFIER) ?? [] });
  }
  return { metrics, groupLabels };
}
