/** Why a name has no value: only unsupported features of the format define it. */
function refusalOfName(name: string): string | null {
  if (name.startsWith('interactsh'))
    return 'interactsh is not supported here: Assay has no server for out-of-band requests';
  return /^(?:http|dns|network|ssl|javascript|code|headless)_/.test(name)
    ? `${name} is not supported: values of other blocks are passed on by internal extractors`
    : null;
}

/** Why a text or an expression with these names is not supported, or null. */
export const refusalOfNames = (names: readonly string[]): string | null =>
  names.map(refusalOfName).find((reason) => reason !== null) ?? null;
