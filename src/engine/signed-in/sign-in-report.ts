import type { SessionProof, SignInRecipe, SignInResult } from './account';

/** One request of a sign-in. */
export interface SignInStep {
  /** `POST https://shop.example/login`, without query. */
  readonly request: string;
  /** Null without an answer. */
  readonly status: number | null;
  /** What was recognised: `a form with the fields user and password`. */
  readonly recognised: string;
}

/** A page as it was seen, without secrets. */
export interface SeenPage {
  /** Without query. */
  readonly url: string;
  readonly status: number;
  readonly title: string | null;
  /** The beginning of its visible text. */
  readonly text: string;
}

export interface ProposedProof {
  readonly proof: SessionProof;
  /** `"Sign out" is in /account with the session (2 of 2 visits), and not without it (0 of 2)`. */
  readonly reason: string;
}

/** What a sign-in did. Plain JSON, without secrets. */
export interface SignInReport {
  readonly result: SignInResult;
  readonly steps: readonly SignInStep[];
  /** How it ended, and what to do. */
  readonly reason: string;
  /** The same pages with the session and without it, in the same order. Empty if it is not signed in. */
  readonly pagesIn: readonly SeenPage[];
  readonly pagesOut: readonly SeenPage[];
  /** The best first. Empty if nothing tells in from out. */
  readonly proposals: readonly ProposedProof[];
  /** The fewest requests of a recorded sign-in that signed in. */
  readonly recorded?: SignInRecipe;
}
