/** JSON without what PostgreSQL refuses in `jsonb` and `text`: U+0000 and halves of characters, which targets may send. */
export const storableJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' ? part.replaceAll('\0', '\uFFFD').toWellFormed() : part,
  );
