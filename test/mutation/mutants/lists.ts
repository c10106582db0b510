import type { Mutant } from '../mutant';

const queryGuard = 'src/platform/http/query.guard.ts';
const queryParameters = 'test/contract/query-parameters.spec.ts';
const listOrder = 'src/platform/database/list-order.ts';
const paging = 'test/e2e/paging.spec.ts';

/** Query parameters, pages and counts of lists. */
export const lists: readonly Mutant[] = [
  {
    name: 'lists: findings with an EPSS score are sought in the index of an order',
    file: 'src/modules/findings/lists/data/finding-orders.ts',
    search: 'minEpss === undefined ? ORDERS : ORDERS_OF_EPSS',
    replace: 'minEpss === undefined ? ORDERS : ORDERS',
    spec: 'test/e2e/paging.spec.ts',
    test: 'read the index of these scores',
  },
  {
    name: 'unknown query parameters are ignored',
    file: queryGuard,
    search: 'unknownParameters(request, operation) ??',
    replace: '',
    spec: queryParameters,
    test: 'every operation refuses unknown query parameters',
  },
  {
    name: 'a refused query parameter leaves no audit entry',
    file: queryGuard,
    search: 'if (operation.audit) await this.unitOfWork.refuse(auditDescription(operation, request), scope, refusal);',
    replace: '',
    spec: queryParameters,
    test: 'a refused change has no effect and is in the audit log',
  },
  {
    name: 'unknown query parameters are refused before the role is checked',
    file: 'src/apps/api/api.module.ts',
    search: `        { provide: APP_GUARD, useClass: RoleGuard },
        { provide: APP_GUARD, useClass: QueryGuard },`,
    replace: `        { provide: APP_GUARD, useClass: QueryGuard },
        { provide: APP_GUARD, useClass: RoleGuard },`,
    spec: queryParameters,
    test: 'a caller without the role gets a 403',
  },
  {
    name: 'a position in another list is accepted',
    file: queryGuard,
    search: 'return position !== undefined && position.list !== listOf(originalUrl);',
    replace: 'return false;',
    spec: paging,
    test: 'is refused in a list with other filters',
  },
  {
    name: 'the values of a position are not checked',
    file: 'src/platform/http/page-query.ts',
    search: 'if (!isValid) throw',
    replace: 'if (false) throw',
    spec: paging,
    test: 'refuse a position that no link had',
  },
  {
    name: 'a list is sorted by the first value of a position only',
    file: listOrder,
    search: `const values = join(
      position.map((value) =>`,
    replace: `const values = join(
      position.map((value, index) => index > 0 ? raw('0') :`,
    spec: paging,
    test: 'return each record exactly once although records are added meanwhile',
  },
  {
    name: 'a late page skips the records before its position',
    file: listOrder,
    search: "this.sortValues = raw(`(${expressions.join(', ')})`);",
    replace: "this.sortValues = raw(`(${expressions.map((expression) => `${expression} + 0`).join(', ')})`);",
    spec: paging,
    test: 'a late page costs what the first one costs, by its link',
  },
  {
    name: 'a count does not stop',
    file: listOrder,
    search: ' LIMIT ${MAX_COUNT + 1}) list`',
    replace: ') list`',
    spec: paging,
    test: 'are counted up to 10,000',
  },
  {
    name: 'a finding keeps its priority in the lists of its events',
    file: 'src/modules/findings/scans/finding-writer.ts',
    search: 'await this.eventFindings.savePriority(attached);',
    replace: '',
    spec: 'test/e2e/events.spec.ts',
    test: 'stay sorted by priority when a finding gets another one in another event',
  },
  {
    name: 'a filtered list of an event includes findings of other events',
    file: 'src/modules/findings/lists/data/finding-lists.repository.ts',
    search: 'event === null ? undefined : wasSeenIn(event, filter)',
    replace: 'event === null ? undefined : undefined',
    spec: 'test/e2e/events.spec.ts',
    test: 'are filtered and sorted like the findings of the organization',
  },
];
