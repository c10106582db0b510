import { forbidden } from '../../kernel/domain-error';

export const organizationSuspended = () =>
  forbidden('The organization is suspended: it can be read, but not changed. Ask the operator of this service.');
