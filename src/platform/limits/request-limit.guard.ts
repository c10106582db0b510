import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/domain-error';
import type { ApiRequest, ApiResponse } from '../api/api-request';
import { LIMIT_CLASSES, limitClassOf } from '../api/limit-class';
import { operationMetadata } from '../api/operation-metadata';
import { Metrics } from '../metrics/metrics';
import {
  BUDGET_OWNERS,
  type Budget,
  type LimitsOf,
  WINDOW_SECONDS,
  budgetsOf,
  budgetsOfProvider,
  policyName,
  refusalSentence,
} from './budget';
import { OrganizationLimits } from './organization-limits';
import { type Count, type Counted, RequestCounters } from './request-counters';

/**
 * Limits the requests of a key and of all keys of its organization. It runs after the authentication, so that strangers cannot use
 * up the budget of another. A refusal writes nothing to the database.
 */
@Injectable()
export class RequestLimitGuard implements CanActivate {
  private readonly refused;

  constructor(
    private readonly limits: OrganizationLimits,
    private readonly counters: RequestCounters,
    metrics: Metrics,
  ) {
    this.refused = metrics.counter({
      name: 'assay_requests_limited_total',
      help: 'Requests of the API that were refused with 429, by what they count as and whose limit was reached',
      labels: { class: LIMIT_CLASSES, owner: BUDGET_OWNERS },
    });
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const operation = operationMetadata(context.getHandler());
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const { caller, provider } = request;
    const known = typeof operation === 'object' ? operation : undefined;
    const limitClass = limitClassOf(known, request.method);
    if (limitClass === undefined) return true;
    const inPath = Number(request.params['organization_id']);
    const limitsOf: LimitsOf = (id) => this.limits.of(id);
    const ofClass =
      caller !== undefined
        ? budgetsOf(caller, limitClass, inPath, limitsOf)
        : provider && budgetsOfProvider(provider.organizationId, limitClass, limitsOf);
    if (ofClass === undefined) return true;
    const budgets = ofClass.map((budget) => ({ ...budget, name: known?.budget }));
    const response = context.switchToHttp().getResponse<ApiResponse>();
    const counted = this.counters.count(budgets, known?.cost);
    // Without Redis nothing is awaited.
    return counted instanceof Promise
      ? counted.then((result) => this.apply(budgets, result, response))
      : this.apply(budgets, counted, response);
  }

  private apply(budgets: readonly Budget[], { isRefused, counts }: Counted, response: ApiResponse): boolean {
    const [budget, count] = tightest(budgets, counts, isRefused);
    const seconds = Math.max(1, Math.ceil(count.resetMs / 1_000));
    setHeaders(response, budget, isRefused ? 0 : count.remaining, seconds);
    if (!isRefused) return true;
    this.refused({ class: budget.limitClass, owner: budget.owner });
    throw new DomainError('too_many_requests', refusalSentence(budget, seconds), seconds);
  }
}

/** The budget with the fewest requests left; of those that are used up, the one that the caller must wait for longest. */
function tightest(
  budgets: readonly Budget[],
  counts: readonly Count[],
  isRefused: boolean,
): readonly [budget: Budget, count: Count] {
  const all = budgets.flatMap((budget, index) => {
    const count = counts[index];
    return count === undefined ? [] : [[budget, count] as const];
  });
  return all.reduce((best, next) => {
    const [{ remaining, resetMs }, other] = [best[1], next[1]];
    if (other.remaining !== remaining) return other.remaining < remaining ? next : best;
    return isRefused && other.resetMs > resetMs ? next : best;
  });
}

/** Those that most APIs have, with the end of the window as Unix time, and those of the IETF draft (structured fields). */
function setHeaders(response: ApiResponse, budget: Budget, remaining: number, seconds: number): void {
  response.setHeader('X-RateLimit-Limit', String(budget.limit));
  response.setHeader('X-RateLimit-Remaining', String(remaining));
  response.setHeader('X-RateLimit-Reset', String(Math.ceil(Date.now() / 1_000) + seconds));
  response.setHeader('RateLimit-Policy', `"${policyName(budget)}";q=${budget.limit};w=${WINDOW_SECONDS}`);
  response.setHeader('RateLimit', `"${policyName(budget)}";r=${remaining};t=${seconds}`);
}
