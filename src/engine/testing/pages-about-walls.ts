/** A page with the words of a firewall that is not a firewall: where it was seen, and its shape. The texts are shortened. */
export type PageAboutWall = readonly [source: string, html: string];

const issue = (source: string, title: string, body: string): PageAboutWall => [
  `github.com/${source}`,
  `<!doctype html><title>${title} · Issue · GitHub</title><nav aria-label="Repository">Code Issues</nav><h1><bdi>${title}</bdi></h1><div class="comment-body">${body}</div>`,
];

const page = (source: string, title: string, body: string): PageAboutWall => [
  source,
  `<!doctype html><title>${title}</title><h1>${title}</h1>${body}`,
];

const code = (text: string): string => `<pre><code>${text.replaceAll('<', '&lt;')}</code></pre>`;

const CLOUDFLARE_PAGE = code(
  '<div class="cf-error-details-wrapper" id="cf-error-details"><h1 data-translate="block_headline">Sorry, you have been blocked</h1><p>This website is using a security service to protect itself from online attacks.</p></div>',
);
const CLOUDFRONT_PAGE = code(
  "<H1>403 ERROR</H1><H2>The request could not be satisfied.</H2>Request blocked.\nWe can't connect to the server for this app or website at this time.",
);

/** By the pattern whose words the pages contain. */
export const PAGES_ABOUT_WALLS: Readonly<Record<string, readonly PageAboutWall[]>> = {
  'Attention Required! | Cloudflare': [
    issue('all-contributors/allcontributors.org/issues/460', 'Attention Required! | Cloudflare', '<p>A link.</p>'),
    issue('dropod/issues/issues/12825', 'Attention Required! | Cloudflare', '<p>Please enable cookies.</p>'),
    page(
      'invoicingsoftwares.com/sage',
      'Sage',
      '<p>Attention Required! | Cloudflare is the standard interstitial page of a security service.</p>',
    ),
  ],
  'Sorry, you have been blocked': [
    issue('soketi/soketi/issues/1118', 'Sorry, you have been blocked', code('You are unable to access soketi.app')),
    issue('openai/codex/issues/4284', 'stream error: unexpected status 403 Forbidden', CLOUDFLARE_PAGE),
    issue('cloudflare/cloudflared/issues/1344', 'Cloudflare Blocking API Access', CLOUDFLARE_PAGE),
  ],
  'cf-error-details': [
    issue('Ekultek/WhatWaf/issues/10', 'Unknown Firewall (c)', CLOUDFLARE_PAGE),
    issue('Ekultek/WhatWaf/issues/11', 'Unknown Firewall (e)', CLOUDFLARE_PAGE),
    issue('Ekultek/WhatWaf/issues/13', 'Unknown Firewall (6556c02e4)', CLOUDFLARE_PAGE),
  ],
  'cf-chl-': [
    page(
      'developers.cloudflare.com/turnstile',
      'Sign up',
      '<form><div class="cf-turnstile"><input type="hidden" name="cf-turnstile-response" id="cf-chl-widget-wnhnk_response"></div></form>',
    ),
    page(
      'a page object for Selenium in a public repository',
      'MyAccountPage.java',
      code('By cloudflareIframe = By.cssSelector("iframe[id^=\'cf-chl-widget\']");'),
    ),
    page(
      'a list of markers of a crawler in a public repository',
      'fetcher.py',
      code('CHALLENGE_MARKERS = ("captcha", "cf-chl-", "cloudflare ray id", "verify you are human")'),
    ),
  ],
  'Just a moment...': [
    issue('dropod/issues/issues/11048', 'Just a moment...', '<p>This process is automatic.</p>'),
    issue(
      'justrach/kuri/issues/116',
      'feat: Cloudflare challenge detection',
      '<p>Challenge pages (<code>Just a moment...</code>) require waiting.</p>',
    ),
    page(
      'anavem.com/en/explanations/what-is-just-a-moment-cloudflare-definition-guide',
      'What is "Just a moment..."?',
      '<p>"Just a moment..." is the browser challenge page of a security service.</p>',
    ),
  ],
  'Incapsula incident ID': [
    page(
      'scrappey.com/qa/web-automation/how-imperva-detects-bots',
      'How Imperva (Incapsula) works',
      '<p>You can spot it from its <code>Request unsuccessful. Incapsula incident ID: ...</code> block page.</p><table><tr><td>Block page</td><td>"Incapsula incident ID: …"</td></tr></table>',
    ),
    page(
      'a survey of public registers in a public repository',
      'Access to the register',
      '<table><tr><td>200, about 1 kB</td><td>Block page: <em>"Request unsuccessful. Incapsula incident ID: …"</em></td></tr></table>',
    ),
    page(
      'a note about marketplaces in a public repository',
      'Product data',
      `<p>Example of a blocked response:</p>${code('"Request unsuccessful. Incapsula incident ID: ..."')}`,
    ),
  ],
  'The requested URL was rejected. Please consult': [
    issue(
      'ariya/phantomjs/issues/14601',
      'The requested URL was rejected. Please consult with your administrator. Your support ID is',
      '<p>Sometimes the script works, sometimes I get the following message:</p><p>The requested URL was rejected. Please consult with your administrator.</p>',
    ),
    issue(
      'C2DH/journal-of-digital-history/issues/581',
      'Request failed with status 403',
      '<p>The requested URL was rejected. Please consult with your administrator or create a ticket</p>',
    ),
    page(
      'a lab guide of NGINX App Protect in a public repository',
      'Step 5 - Simulate an attack',
      code('<title>Request Rejected</title> The requested URL was rejected. Please consult with your administrator.'),
    ),
  ],
  'Sucuri WebSite Firewall': [
    issue(
      'sqlmapproject/sqlmap/pull/2761',
      'Minor update to Sucuri WAF script',
      `<p>Added <code>"Access Denied - Sucuri Website Firewall" in (page or "")</code></p>${code('<title>Sucuri WebSite Firewall - Access Denied</title>')}`,
    ),
    issue(
      'D4-project/Plum-Island/issues/121',
      'Sucuri Firewall/Waf',
      '<p>http-title</p><p>Sucuri WebSite Firewall - Access Denied</p>',
    ),
    page(
      'getmodel.com/de/blog/access-denied-sucuri-website-firewall-troubleshooting-guide',
      'Access Denied – Sucuri Website Firewall Troubleshooting Guide',
      '<p>First, identify the blocker by temporarily allowing your address.</p>',
    ),
  ],
  'This website is using a security service to protect itself': [
    issue(
      'VeNoMouS/cloudscraper/issues/151',
      'This website is using a security service to protect itself from online attacks.',
      code('import cloudscraper'),
    ),
    issue(
      'dropod/issues/issues/18691',
      'Attention Required! | Cloudflare',
      '<p>Why have I been blocked?</p><p>This website is using a security service to protect itself from online attacks.</p>',
    ),
    issue('Ekultek/WhatWaf/issues/14', 'Unknown Firewall (6556c02e4)', CLOUDFLARE_PAGE),
  ],
  'Pardon Our Interruption': [
    issue(
      'ziplokk1/incapsula-cracker-py3/issues/32',
      'API Request is being blocked.',
      code('<noscript><title>Pardon Our Interruption</title></noscript>'),
    ),
    page(
      'notes about a staff directory in a public repository',
      'Known problems',
      '<p>All addresses return "Pardon Our Interruption" to curl, and work in a browser.</p>',
    ),
    page(
      'a changelog of a connector in a public repository',
      'Changelog',
      '<ul><li>An error is raised when a page has the signature of a soft block ("Pardon Our Interruption").</li></ul>',
    ),
  ],
  'Web Page Blocked': [
    issue(
      'joomla/joomla-websites/issues/2161',
      'Web page blocked',
      '<p>When I save the page an error occurs</p><p>Web Page Blocked!</p><p>The page cannot be displayed.</p>',
    ),
    issue(
      'dropod/issues/issues/18849',
      'The URL you requested has been blocked',
      '<p>Web Page Blocked!The page cannot be displayed.</p>',
    ),
    page(
      'community.fortinet.com/t5/FortiGate/ta-p/215438',
      'Technical Tip: Web Page Blocked using WebFilter when failed to connect to FortiGuard',
      '<p>From the user side, a message is shown.</p>',
    ),
  ],
  "Request blocked. We can't connect": [
    issue('labnol/covid19-vaccine-tracker/issues/5', 'CDN API is returning 403 error code.', CLOUDFRONT_PAGE),
    issue('kartikey54/VaccineAvailabilityNotifier/issues/74', 'CloudFront is blocking requests', CLOUDFRONT_PAGE),
    page(
      'repost.aws/knowledge-center/cloudfront-troubleshoot-403-errors',
      'How do I troubleshoot 403 errors from CloudFront?',
      '<p>The error contains a message similar to: "Request blocked. We can\'t connect to the server for this app or website at this time."</p>',
    ),
  ],
  'errors.edgesuite.net': [
    issue(
      'netbirdio/netbird/issues/3670',
      'Access Denied : Akamai edgesuite.net',
      '<p>Reference #18.e3c1202</p><p><a href="https://errors.edgesuite.net/18.e3c1202">https://errors.edgesuite.net/18.e3c1202</a></p>',
    ),
    issue(
      'hyperion-cs/dpi-checkers/issues/57',
      'Replace test site for SE.AKM-01',
      '<p>Access Denied</p><p><a href="https://errors.edgesuite.net/18.2f58">https://errors.edgesuite.net/18.2f58</a></p>',
    ),
    page(
      'laptops251.com/https-errors-edgesuite-net',
      'What is https://errors.edgesuite.net?',
      '<p>When a browser is redirected to https://errors.edgesuite.net, it is not visiting a random site.</p>',
    ),
  ],
  'generated by Mod_Security': [
    issue(
      'SpiderLabs/owasp-modsecurity-crs/issues/164',
      'Error An appropriate representation of the requested resource could not be found on this server. This error was generated by Mod_Security',
      '<p>Can you tell me how can I fix this?</p>',
    ),
    issue(
      'bmlt-enabled/bread/issues/73',
      'Error Message After Save',
      '<p>"Not Acceptable!<br>An appropriate representation of the requested resource could not be found on this server. This error was generated by Mod_Security."</p>',
    ),
    page(
      'a manual of a content system in a public repository',
      'Connecting an account',
      '<blockquote>If you are sent back to a page that says "Not Acceptable! … generated by Mod_Security", ask your host.</blockquote>',
    ),
  ],
  'default backend - 404': [
    issue(
      'kubernetes/ingress-nginx/issues/3888',
      'Requests are routed to default backend, returning `default backend - 404`',
      code('default backend - 404'),
    ),
    page(
      'the example of a static address of ingress-nginx',
      'Testing',
      `<p>Change the address to the one of your host:</p>${code('HTTP/1.1 404 Not Found\n\ndefault backend - 404')}`,
    ),
    page(
      'the documentation of custom domains of Liferay Cloud',
      'Custom domains',
      '<p>When ready, the domain returns the standard <code>default backend - 404</code> error.</p>',
    ),
  ],
  'no Route matched with those values': [
    issue('Kong/kong/issues/10483', "Occasionally '404 - no Route matched with those values'", '<p>We use kong.</p>'),
    issue(
      'Kong/kong/issues/4294',
      'How to add service/route',
      code('{\n "message": "no Route matched with those values"\n}'),
    ),
    issue(
      'Kong/kong-plugin-prometheus/issues/117',
      '"no Route matched" metrics',
      '<p>Is it possible to count <code>no Route matched with those values</code>?</p>',
    ),
  ],
  '404 Route Not Found': [
    issue('apache/apisix/issues/12822', 'bug: error_msg":"404 Route Not Found', '<p>Requests return an error.</p>'),
    issue(
      'apache/apisix/issues/10907',
      '404 Route Not Found in apisix 3.6.1',
      code('"error_msg": "404 Route Not Found"'),
    ),
    issue(
      'apache/apisix-ingress-controller/issues/211',
      'request help: get "404 Route Not Found"',
      code('status: 404, body: {"error_msg":"404 Route Not Found"}'),
    ),
  ],
};
