/** Cookies that identify a visitor. Another value would only end the session. */
const SESSIONS = /sess|^sid$|auth|token|csrf|xsrf|jwt|^_ga|^_gid|^__cf|^cf_|consent/i;
const RANDOM = /^(?=.*\d)(?=.*[a-z])[\w%.-]{20,}$/i;

export const isSessionCookie = (name: string, value: string): boolean => SESSIONS.test(name) || RANDOM.test(value);
