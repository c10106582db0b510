/** The size of all responses at one point, which are kept until it is judged. */
export const MOST_BYTES = 64_000_000;

export class TooMuchToKeep extends Error {
  constructor() {
    super(`its answers have more than ${MOST_BYTES / 1_000_000} MB together`);
  }
}
