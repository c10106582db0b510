/** In the name of a path that the engine has made up, so that it does not exist: in a folder, or after the name of a file. */
export const MADE_UP = /nothing-[\da-f]{12}/;

/** One text for all of them. Baselines have `/nothing-*` in their keys. */
export const withoutMadeUp = (path: string): string => path.replace(MADE_UP, 'nothing-*');
