import { activeCheck } from '../active/active-check';
import { ALL_CALLBACKS } from '../active/callbacks/callback-syntax';
import { callbacksAlone } from '../active/callbacks/with-callbacks';

export const dnsLookupOfInput = activeCheck(
  {
    id: 'dns-lookup-of-input',
    title: 'DNS lookup of a name in a parameter',
    severity: 'info',
    cwe: [918],
    owasp: ['A10:2021', 'A01:2025'],
    wstg: ['WSTG-INPV-19'],
    cvss: null,
    needsCallbacks: true,
    references: ['https://portswigger.net/kb/issues/00300200_external-service-interaction-dns'],
    decides:
      'Sends new host names below the domain of the [listener](callbacks.md), in URLs and in the payloads of the other injections. It is vulnerable if three such names are resolved, nothing calls them over HTTP, and no name that was sent as text or in another parameter is resolved. It is fixed when none is resolved and the application refuses each value with 400 or 422; otherwise a test is inconclusive.',
    text: `Something resolves a name that is in a parameter, and sends no request. A firewall or a log may do that, and also a
server whose requests a firewall blocks: then it is a server-side request forgery or a command injection.

**How to fix it.** Find out what resolves the name. If it is the application, treat the value as in the other findings about
input.`,
  },
  callbacksAlone(ALL_CALLBACKS, 'no value makes anything resolve a name of the listener', 'dns'),
);
