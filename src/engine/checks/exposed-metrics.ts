import { exposedFile } from '../protocols/http/exposed-file';

const START = /^# (?:HELP|TYPE) [A-Za-z_:][\w:]{0,200} /;
const TYPE = /^# TYPE ([A-Za-z_:][\w:]{0,200}) (?:counter|gauge|histogram|summary|untyped)\r?\n\1/m;

export const exposedMetrics = exposedFile(
  {
    id: 'exposed-metrics',
    title: 'Prometheus metrics of the application are public',
    severity: 'low',
    cwe: [497],
    owasp: ['A05:2021', 'A02:2025'],
    wstg: ['WSTG-CONF-05'],
    cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N',
    references: [
      'https://prometheus.io/docs/operating/security/',
      'https://prometheus.io/docs/instrumenting/exposition_formats/',
    ],
    decides:
      'Requests `/metrics`. It is vulnerable if the response is in the Prometheus text format. It is fixed when the path returns no metrics.',
    text: `The application's metrics are public. They show the load and the failures, the versions of the software,
and in their labels often the names of internal hosts, of paths and of customers.

**How to fix it.** Let metrics listen on a port of their own that only the collector reaches, or have the proxy
refuse \`/metrics\`. If the metrics are meant to be public, accept the risk.`,
  },
  [
    {
      path: '/metrics',
      identify: (text) => (START.test(text) && TYPE.test(text) ? 'it holds metrics in the format of Prometheus' : null),
    },
  ],
);
