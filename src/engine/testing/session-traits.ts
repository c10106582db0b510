/** How the application keeps its sessions, and which weaknesses it has. */
export interface SessionTraits {
  readonly session: 'cookie' | 'jwt in a header' | 'jwt in a cookie';
  /** Which signatures it accepts besides its own. */
  readonly accepts: 'none' | 'alg none' | 'alg NONE' | 'no signature' | 'any signature' | 'any token';
  readonly takesIdFromUrl: 'no' | 'query' | 'path' | 'redirect';
  /** Of the id at the sign-in. `adopts`: of a visitor it takes any id. */
  readonly renews: 'yes' | 'no' | 'adopts';
  readonly startsSession: 'at the first visit' | 'at the sign-in';
  readonly signOut: 'ends' | 'ends late' | 'clears the cookie' | 'ends all' | 'does nothing';
  readonly signOutBy: 'link' | 'form' | 'script';
  /** In front of it. */
  readonly noise:
    | 'none'
    | 'one session'
    | 'one session, then busy'
    | 'renews on each page'
    | 'guest pages'
    | 'cache'
    | 'firewall'
    | 'one node'
    | 'fails'
    | 'csrf token'
    | 'encrypted token'
    | 'other pages';
}

export const SOUND: SessionTraits = {
  session: 'cookie',
  accepts: 'none',
  takesIdFromUrl: 'no',
  renews: 'yes',
  startsSession: 'at the first visit',
  signOut: 'ends',
  signOutBy: 'link',
  noise: 'none',
};
