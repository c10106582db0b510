/**
 * Which organizations a read may look into. Every read of a tenant's rows takes one as an argument without a default, so
 * that a read which forgot to ask "whose?" does not compile.
 */
export class Scope {
  private constructor(
    /** Only these, where given. */
    readonly organizationIds: readonly number[] | undefined,
    /** Only those of this integrator, where given. */
    readonly integratorId: number | undefined,
  ) {}

  static organizations(ids: readonly number[]): Scope {
    return new Scope(ids, undefined);
  }

  /** By the integrator and not by a list: an organization that it has just created is its own in every process at once. */
  static integrator(integratorId: number, limitedTo?: number): Scope {
    return new Scope(limitedTo === undefined ? undefined : [limitedTo], integratorId);
  }

  /** For the service's own work alone; the reason is read by whoever reviews the call. */
  static everything(_why: string): Scope {
    return new Scope(undefined, undefined);
  }
}

export const everything = (why: string): Scope => Scope.everything(why);
