/**
 * The organizations that a query may read. Every query of tenant rows requires a scope as an argument, so that a query
 * without one does not compile.
 */
export class Scope {
  private constructor(
    /** Only these, if set. */
    readonly organizationIds: readonly number[] | undefined,
    /** Only those of this integrator, if set. */
    readonly integratorId: number | undefined,
    /** Not these, if set. */
    readonly exceptIds?: readonly number[],
  ) {}

  static organizations(ids: readonly number[]): Scope {
    return new Scope(ids, undefined);
  }

  /** By integrator instead of by a list: a new organization is visible to its integrator at once, in every process. */
  static integrator(integratorId: number, limitedTo?: number): Scope {
    return new Scope(limitedTo === undefined ? undefined : [limitedTo], integratorId);
  }

  /** Only the records of one organization, and none if it is outside of this scope. */
  within(organizationId: number): Scope {
    const isOutside = this.organizationIds?.includes(organizationId) === false;
    return new Scope(isOutside ? [] : [organizationId], this.integratorId, this.exceptIds);
  }

  /** Everything in this scope except these organizations. */
  without(organizationIds: readonly number[]): Scope {
    if (organizationIds.length === 0) return this;
    return new Scope(this.organizationIds, this.integratorId, [...(this.exceptIds ?? []), ...organizationIds]);
  }

  /** Only for work of the service itself. The reason is for code reviews. */
  static everything(_why: string): Scope {
    return new Scope(undefined, undefined);
  }
}

export const everything = (why: string): Scope => Scope.everything(why);
