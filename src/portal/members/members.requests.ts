import { PageQueryOf } from '../../platform/http/page-query';

export class MembersQuery extends PageQueryOf(100) {}
