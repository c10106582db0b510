/** The fields of a change that are stated, so that the others stay as they are. */
export const stated = <T extends object>(fields: { readonly [Name in keyof T]: T[Name] | undefined }): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
