import type { SentRequest } from '../sent-request';
import type { Scheme } from '../transport/route';

/** Credentials and sessions go to these and nowhere else, whatever a page, a form, a redirect or a description says. */
export interface WebOrigin {
  readonly scheme: Extract<Scheme, 'http' | 'https'>;
  /** Lower case, ASCII, an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
}

export type AccountOrigins = readonly WebOrigin[];

/** The secrets of an account, of at least three characters each. They are in no report, evidence, error or list. */
export interface AccountSecrets {
  readonly password?: string;
  /** In base32, as applications show it beside the QR code. */
  readonly totpSeed?: string;
  /** Of the header, or of the whole Cookie field: `sid=1234; theme=dark`. */
  readonly value?: string;
}

/** One-time codes (RFC 6238): SHA-1, 30 seconds. */
export interface TotpSettings {
  /** The field for the code. If absent, it is looked for in the page after the password. */
  readonly field?: string;
  readonly digits?: 6 | 8;
}

/** What a field of a sign-in request contains. `page`: the field, `meta` element, cookie or JSON key of this name in an earlier answer. */
export type FieldValue =
  | { readonly from: 'text'; readonly text: string }
  | { readonly from: 'user_name' | 'password' | 'totp' }
  | { readonly from: 'page'; readonly name: string };

/** A field of a body or a header. In JSON, `user.name` is the field `name` of the object `user`. */
export type RequestField = readonly [name: string, value: FieldValue];

/** A request of a sign-in. Its address is absolute, at one of the account's origins. */
export interface SignInRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  /** Of the body; `none` for GET. */
  readonly format: 'json' | 'form' | 'none';
  readonly fields: readonly RequestField[];
  readonly headers?: readonly RequestField[];
}

/** Where the answer to a sign-in has a token, and how later requests carry it. If absent, usual names are tried. */
export interface TokenPlace {
  /** In JSON: `data.access_token`. */
  readonly path: string;
  /** `Authorization` by default. */
  readonly header?: string;
  /** In front of the token; `Bearer ` by default, and nothing in another header. */
  readonly prefix?: string;
}

interface WithTotp {
  readonly totp?: TotpSettings;
}

/** How an account signs in. Plain JSON, without secrets. */
export type SignInRecipe =
  /** The form with the password field in this page. Its hidden fields and its CSRF token are sent as they are. */
  | (WithTotp & {
      readonly kind: 'form';
      readonly page: string;
      readonly userName: string;
      /** Names of fields, for pages where they are not recognised. */
      readonly userField?: string;
      readonly passwordField?: string;
    })
  | (WithTotp & {
      readonly kind: 'request';
      readonly userName: string;
      /** Read first, for its cookies and its CSRF token. */
      readonly page?: string;
      readonly request: SignInRequest;
      readonly token?: TokenPlace;
    })
  /** The recorded requests. */
  | (WithTotp & {
      readonly kind: 'steps';
      readonly userName: string;
      readonly steps: readonly SignInRequest[];
      readonly token?: TokenPlace;
    })
  /** A code, if any, is in the header `totp.field`, as in the two kinds below. */
  | (WithTotp & { readonly kind: 'basic'; readonly userName: string })
  | (WithTotp & { readonly kind: 'header'; readonly name: string })
  | (WithTotp & { readonly kind: 'cookie' });

/** How to see whether a session is valid: a request, and a text that its answer has only with the session, or only without. Plain JSON. */
export interface SessionProof {
  /** Absolute, at one of the account's origins; it is a GET. */
  readonly url: string;
  readonly text: string;
  /** With `in`, the text is there only while the session is valid. */
  readonly isOnly: 'in' | 'out';
}

export interface Account {
  /** The caller's id of the account, in observed exchanges and in baselines. */
  readonly id: string;
  /** Its name in messages. */
  readonly name: string;
  readonly recipe: SignInRecipe;
  readonly secrets: AccountSecrets;
  readonly origins: AccountOrigins;
  /** Null until an admin has confirmed one: then it can sign in and propose, but no test runs. */
  readonly proof: SessionProof | null;
}

/** Counts the sign-ins of an account, of all jobs and replicas. The caller implements it. */
export interface SignInBook {
  /** Called before each sign-in. Why it may not be made, or null: the account is stopped, or had 60 sign-ins within an hour. */
  begin(): Promise<string | null>;
  /** After two failures in a row, the account is stopped. */
  ended(result: SignInResult): Promise<void>;
}

/** The most sign-ins of an account within an hour. */
export const MOST_SIGN_INS_AN_HOUR = 60;
/** The failures in a row after which the account is stopped until a person resumes it. */
export const MOST_FAILED_SIGN_INS = 2;

/** `failed`: credentials were sent and refused. `not_possible`: none were sent, or there was no answer. */
export type SignInResult = 'signed_in' | 'failed' | 'not_possible';

/** A request after which the session had ended, twice. */
export type EndingRequest = Pick<SentRequest, 'method' | 'path'>;

/** Receives what happens to a session while a job runs. */
export interface SessionObserver {
  /** A request of a test, without checks and sign-ins. */
  sent?(): void;
  /** What was sent since the last proved moment, and before this one, counts. */
  proved?(at: Date): void;
  /** What was sent since the last proved moment is void. */
  lost?(at: Date, reason: string): void;
  /** A request to remember for the asset, so that later jobs do not send it. */
  endsSession?(request: EndingRequest): void;
}

/**
 * Why a test of an account ends. `stopped`: two sign-ins in a row have failed, so that nothing may sign in until a person resumes
 * the account. `unverifiable`: the proof does not tell a session from none. `unproved`: everything else that leaves results without a
 * proved session.
 */
export type SessionEnd = 'stopped' | 'unverifiable' | 'unproved';

/** A session that could not be proved. Nothing that was sent since its last proved moment counts. */
export class SessionEnded extends Error {
  constructor(
    readonly end: SessionEnd,
    /** A sentence for people, without secrets: what happened, and what to do. */
    reason: string,
    /** Whose session; undefined where no account was opened yet. */
    readonly account?: string,
  ) {
    super(reason);
    this.name = 'SessionEnded';
  }
}
