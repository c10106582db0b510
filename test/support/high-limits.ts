/** Most tests are not about limits and observations, and some send many requests. */
export const highLimits = {
  LIMIT_READS_PER_MINUTE: '1000000',
  LIMIT_WRITES_PER_MINUTE: '1000000',
  LIMIT_LAUNCHES_PER_MINUTE: '1000000',
  LIMIT_RETESTS_PER_MINUTE: '1000000',
  OBSERVE_EVERY_HOURS: 'off',
  LIMIT_IMPORTS_PER_MINUTE: '1000000',
};
