import { activeCheck } from '../active/active-check';
import { URL_CALLBACKS } from '../active/callbacks/callback-syntax';
import { callbacksAlone } from '../active/callbacks/with-callbacks';

export const serverSideRequestForgery = activeCheck(
  {
    id: 'server-side-request-forgery',
    title: 'Server-side request forgery (SSRF)',
    severity: 'high',
    cwe: [918],
    owasp: ['A10:2021', 'A01:2025'],
    wstg: ['WSTG-INPV-19'],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:N/A:N',
    needsCallbacks: true,
    references: [
      'https://cheatsheetseries.owasp.org/cheatsheets/Server_Side_Request_Forgery_Prevention_Cheat_Sheet.html',
      'https://portswigger.net/web-security/ssrf',
    ],
    decides:
      'Sends the URL of a new host below the domain of the [listener](callbacks.md) with `http://` and with `https://`, and the host alone. It is vulnerable if three such hosts are called over HTTP or HTTPS, the second and third within the time that the first decides, and no host that was sent as text, without a scheme or in another parameter is. It is fixed when nothing is called, the listener has HTTPS, and the application refuses each value with 400 or 422; otherwise a test is inconclusive.',
    text: `The server requests the address that is in a parameter. Attackers let it request what only the server reaches: services of
the internal network, and the metadata of clouds, which often contain credentials.

**How to fix it.** Do not take addresses from input: take an id, and look the address up. If addresses are necessary, allow a
list of hosts, resolve the name once, refuse private, loopback and link-local addresses, connect to the address that was
checked, and follow no redirects.`,
  },
  callbacksAlone(
    URL_CALLBACKS,
    'no value makes the server call the listener, which the target has called in this test',
  ),
);
