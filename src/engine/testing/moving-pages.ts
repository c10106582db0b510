/** The front page of an application as two requests a minute apart get it. */
export interface MovingPage {
  readonly software: string;
  /** What differs in the second response. */
  readonly moves: string;
  readonly page: (random: (length: number) => string, turn: 0 | 1) => string;
}

const html = (title: string, head: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`;

const either = (turn: 0 | 1, one: string, other: string): string => (turn === 0 ? one : other);

export const MOVING_PAGES: readonly MovingPage[] = [
  {
    software: 'WordPress',
    moves: 'nonces of scripts and the order of related posts',
    page: (random, turn) =>
      html(
        'Harbour News – Stories from the coast',
        `<script id="wp-api-fetch-js-after">wp.apiFetch.use(wp.apiFetch.createNonceMiddleware("${random(10)}"));</script>`,
        `<header class="site-header"><p class="site-title">Harbour News</p><nav class="main-navigation">Home Sailing Fishing Contact</nav></header>
<main id="content"><article class="post hentry"><h2 class="entry-title">The lighthouse opens again</h2><p>After two winters of repairs visitors may climb the tower.</p></article>
<aside class="related">${either(turn, '<a>Eels return</a><a>New ferry</a>', '<a>New ferry</a><a>Storm damage</a>')}</aside></main>
<form class="comment-form"><input type="hidden" name="_wpnonce" value="${random(10)}"></form><footer class="site-footer">Proudly powered by WordPress</footer>`,
      ),
  },
  {
    software: 'WooCommerce',
    moves: 'the featured products, a fragment hash and the stock',
    page: (random, turn) =>
      html(
        'Shop – Tea House',
        `<script>var wc_cart_fragments_params={"cart_hash_key":"wc_cart_hash_${random(32)}"};</script>`,
        `<nav class="woocommerce-breadcrumb">Home / Shop</nav><h1 class="page-title">Shop</h1><p class="woocommerce-result-count">Showing 1–3 of 41 results</p>
<ul class="products columns-3">${either(turn, '<li class="product">Assam <span class="price">9 €</span></li><li class="product">Sencha <span class="price">12 €</span></li>', '<li class="product">Oolong <span class="price">14 €</span></li><li class="product">Rooibos <span class="price">6 €</span></li>')}</ul>
<p class="stock">${either(turn, '7', '6')} in stock</p><footer class="site-footer">Free delivery from 50 euros. Built with WooCommerce.</footer>`,
      ),
  },
  {
    software: 'Shopify',
    moves: 'the request id, recommendations and a banner for another group of visitors',
    page: (random, turn) =>
      html(
        'Northern Boots',
        `<script>window.Shopify=window.Shopify||{};Shopify.requestId="${random(36)}";</script>`,
        `<div class="announcement-bar">${either(turn, 'Free shipping this week', 'Sign up and save ten percent')}</div><header class="header">Northern Boots<nav class="header__inline-menu">Men Women Care About</nav></header>
<main id="MainContent"><section class="shopify-section"><h2 class="banner__heading">Made for rain</h2><p>Boots that last for years, from our workshop in the hills.</p></section>
<section class="product-recommendations">${either(turn, '<a class="card">Fell</a><a class="card">Brook</a>', '<a class="card">Moor</a><a class="card">Ridge</a>')}</section></main>`,
      ),
  },
  {
    software: 'Magento',
    moves: 'the form key and the private content version',
    page: (random) =>
      html(
        'Garden tools',
        `<script>var BASE_URL='/';window.checkout={"version":"${random(32)}"};</script>`,
        `<div class="page-wrapper"><header class="page-header">Luma<span class="counter-number">0</span></header><main id="maincontent"><h1 class="page-title">Garden tools</h1>
<div class="products wrapper grid"><form data-role="tocart-form"><input name="form_key" type="hidden" value="${random(16)}"><button>Add to Cart</button></form><p>Spades, forks and shears for every season.</p></div></main></div>`,
      ),
  },
  {
    software: 'phpBB',
    moves: 'the session in links, who is online and the time',
    page: (random, turn) =>
      html(
        'Model Railways - Index page',
        '<link rel="stylesheet" href="./styles/prosilver/theme/stylesheet.css">',
        `<div id="wrap" class="wrap"><a href="./index.php?sid=${random(32)}">Model Railways</a><p class="right responsive-center time">It is currently Mon Nov 23, 2026 8:0${turn} am</p>
<ul class="topiclist forums"><li class="row"><a class="forumtitle" href="./viewforum.php?f=2&amp;sid=${random(32)}">Rolling stock</a> Everything about wagons and engines</li></ul>
<div class="stat-block online-list"><h3>Who is online</h3><p>In total there are <strong>${either(turn, '12', '15')}</strong> users online :: ${either(turn, '3 registered', '2 registered')} and 9 guests</p></div></div>`,
      ),
  },
  {
    software: 'MyBB',
    moves: 'the post key and the latest threads',
    page: (random, turn) =>
      html(
        'Astronomy Board',
        `<script>var my_post_key = "${random(32)}";</script>`,
        `<div id="container"><div id="header">Astronomy Board</div><table class="tborder"><tr><td class="thead"><strong>Telescopes</strong></td></tr><tr><td class="trow1">Mounts and mirrors</td><td class="trow2">${either(turn, 'Which eyepiece? Today 07:58', 'Dew on the mirror Today 08:01')}</td></tr></table>
<span class="smalltext">${either(turn, '21', '19')} users active in the past 15 minutes</span></div>`,
      ),
  },
  {
    software: 'Discourse',
    moves: 'the CSRF token, preloaded data, counters and the order of topics',
    page: (random, turn) =>
      html(
        'Brewers - Talk about brewing',
        `<meta name="csrf-token" content="${random(86)}"><meta name="discourse-track-view-session-id" content="${random(32)}">`,
        `<div id="main-outlet" class="wrap"><table class="topic-list"><tbody>${either(turn, '<tr class="topic-list-item"><td>Yeast that sleeps</td><td class="posts">14</td><td class="views">203</td></tr><tr class="topic-list-item"><td>Bottles or barrels</td><td class="posts">5</td><td class="views">88</td></tr>', '<tr class="topic-list-item"><td>Bottles or barrels</td><td class="posts">6</td><td class="views">91</td></tr><tr class="topic-list-item"><td>Yeast that sleeps</td><td class="posts">14</td><td class="views">205</td></tr>')}</tbody></table></div><footer>Powered by Discourse</footer>`,
      ),
  },
  {
    software: 'MediaWiki',
    moves: 'the request id, the time of the backend and a random quotation',
    page: (random, turn) =>
      html(
        'Railway Wiki',
        `<script>RLCONF={"wgRequestId":"${random(27)}","wgPageName":"Main_Page"};</script>`,
        `<div id="content" class="mw-body"><h1 id="firstHeading">Main Page</h1><div id="mw-content-text"><p>Welcome to the wiki about stations, signals and timetables, with 4,120 articles.</p>
<blockquote>${either(turn, 'A train is never late, it is admired for longer.', 'Signals speak only to those who look.')}</blockquote></div></div><div id="footer">This page was last edited on 2 May 2026.</div><!-- Saved in parser cache --><script>RLQ.push(function(){mw.config.set({"wgBackendResponseTime":${either(turn, '121', '98')}});});</script>`,
      ),
  },
  {
    software: 'Drupal',
    moves: 'the build id of a form and a rotating banner',
    page: (random, turn) =>
      html(
        'Welcome | City Library',
        '<meta name="Generator" content="Drupal 10 (https://www.drupal.org)">',
        `<div class="dialog-off-canvas-main-canvas"><header role="banner"><a class="site-name">City Library</a></header><div class="block block-banner">${either(turn, 'Summer reading club', 'Night of the museums')}</div><main role="main"><h1 class="page-title">Welcome</h1><p>Borrow books, films and games with one card.</p></main>
<form id="search-block-form"><input type="hidden" name="form_build_id" value="form-${random(43)}"></form></div>`,
      ),
  },
  {
    software: 'Joomla',
    moves: 'the token of the session and a module of random articles',
    page: (random, turn) =>
      html(
        'Home - Choir of Saint Anne',
        `<script type="application/json" class="joomla-script-options new">{"csrf.token":"${random(32)}"}</script>`,
        `<div class="container"><nav class="mod-menu">Home Concerts Members</nav><div class="com-content-article"><h2>Our next concert</h2><p>We sing the requiem in the old church on the first of December.</p></div><ul class="mod-articlesnews">${either(turn, '<li>New altos wanted</li>', '<li>Photos of the tour</li>')}</ul></div>`,
      ),
  },
  {
    software: 'Ghost',
    moves: 'the key of the content API and the posts that follow',
    page: (random, turn) =>
      html(
        'Field Notes',
        `<script defer src="/public/cards.min.js?v=${random(10)}"></script><meta name="generator" content="Ghost 5.87">`,
        `<div class="gh-site"><header class="gh-head">Field Notes<nav>Home About</nav></header><main class="gh-main"><div class="gh-feed">${either(turn, '<article class="gh-card">Moss on stone</article><article class="gh-card">Owls at dusk</article>', '<article class="gh-card">The first frost</article><article class="gh-card">Moss on stone</article>')}</div></main><footer class="gh-foot">Published with Ghost. Subscribe for one letter a month.</footer></div>`,
      ),
  },
  {
    software: 'Nextcloud, which asks to sign in',
    moves: 'the request token and the background',
    page: (random, turn) =>
      html(
        'Nextcloud',
        `<link rel="stylesheet" href="/apps/theming/css/default.css?v=${random(8)}">`,
        `<div class="wrapper" data-requesttoken="${random(88)}" style="background:url(/core/img/${either(turn, 'a', 'b')}.jpg)"><header>Nextcloud</header><main><h2>Log in to Nextcloud</h2><form name="login"><input name="user"><input type="password" name="password"></form></main></div>`,
      ),
  },
  {
    software: 'Grafana, which asks to sign in',
    moves: 'the nonce of its scripts',
    page: (random) =>
      html(
        'Grafana',
        `<script nonce="${random(22)}">window.grafanaBootData={user:{"isSignedIn":false},settings:{"buildInfo":{"version":"11.1.0"}}};</script>`,
        `<div class="preloader"><div class="preloader__text">Loading Grafana</div></div><div id="reactRoot"></div><script nonce="${random(22)}" src="public/build/app.${'0f'.repeat(10)}.js"></script>`,
      ),
  },
  {
    software: 'Gitea',
    moves: 'the CSRF token and the time of the page in the footer',
    page: (random, turn) =>
      html(
        'Gitea: Git with a cup of tea',
        `<script>window.config={csrfToken:'${random(49)}',assetVersionEncoded:'1.22.0'};</script>`,
        `<div class="full height"><nav id="navbar">Explore Help Sign In</nav><div class="page-content home"><h1 class="ui header">Gitea: Git with a cup of tea</h1><p>A painless, self-hosted Git service</p></div></div><footer class="page-footer">Powered by Gitea Version: 1.22.0 Page: <strong>${either(turn, '2ms', '14ms')}</strong> Template: <strong>1ms</strong></footer>`,
      ),
  },
  {
    software: 'Moodle',
    moves: 'the session key and the upcoming events',
    page: (random, turn) =>
      html(
        'Home | Evening School',
        `<script>M.cfg = {"wwwroot":"https://a.test","sesskey":"${random(10)}"};</script>`,
        `<div id="page" class="container-fluid"><h1>Evening School</h1><a href="/login/index.php">Log in</a><div class="courses frontpage-course-list-all"><div class="coursebox">Spanish for beginners</div><div class="coursebox">Welding</div></div><div class="block_calendar_upcoming">${either(turn, 'Enrolment ends tomorrow', 'Open day on Friday')}</div></div>`,
      ),
  },
  {
    software: 'the admin of Django, which asks to sign in',
    moves: 'the masked CSRF token',
    page: (random) =>
      html(
        'Log in | Django site admin',
        '<link rel="stylesheet" href="/static/admin/css/base.css">',
        `<div id="container"><div id="header"><h1 id="site-name">Django administration</h1></div><form id="login-form" method="post"><input type="hidden" name="csrfmiddlewaretoken" value="${random(64)}"><label>Username:</label><input name="username"><label>Password:</label><input type="password" name="password"></form></div>`,
      ),
  },
  {
    software: 'Rails',
    moves: 'the CSRF token and a greeting by the time of the day',
    page: (random, turn) =>
      html(
        'Bikeshare',
        `<meta name="csrf-param" content="authenticity_token"><meta name="csrf-token" content="${random(88)}">`,
        `<main class="container"><h1>${either(turn, 'Good morning', 'Good afternoon')}</h1><p>Find a bicycle near you, ride it for an hour and leave it at any station.</p><form class="search" action="/stations"><input type="hidden" name="authenticity_token" value="${random(88)}"><button>Find a station</button></form><p>${either(turn, '214', '209')} bicycles are free</p></main>`,
      ),
  },
  {
    software: 'Laravel with Livewire',
    moves: 'the CSRF token, snapshots of components and a variant of the heading',
    page: (random, turn) =>
      html(
        'Parcelly',
        `<meta name="csrf-token" content="${random(40)}">`,
        `<div id="app" class="min-h-screen"><h1 class="text-4xl">${either(turn, 'Send parcels without queues', 'Your parcel, picked up at home')}</h1><p class="lead">We collect parcels from your door and print the label for you.</p><div wire:id="${random(20)}" wire:snapshot="{&quot;checksum&quot;:&quot;${random(64)}&quot;}"><button>Book a pickup</button></div></div>`,
      ),
  },
  {
    software: 'Spring with Thymeleaf',
    moves: 'the CSRF token and the session in links',
    page: (random) =>
      html(
        'PetClinic :: a Spring Framework demonstration',
        '<link rel="stylesheet" href="/resources/css/petclinic.css">',
        `<nav class="navbar" role="navigation"><a href="/;jsessionid=${random(32).toUpperCase()}">Home</a><a href="/owners/find">Find owners</a><a href="/vets.html">Veterinarians</a></nav><div class="container xd-container"><h2>Welcome</h2><form action="/owners"><input type="hidden" name="_csrf" value="${random(36)}"></form></div>`,
      ),
  },
  {
    software: 'DVWA, which asks to sign in',
    moves: 'the user token',
    page: (random) =>
      html(
        'Login :: Damn Vulnerable Web Application (DVWA)',
        '<link rel="stylesheet" href="dvwa/css/login.css">',
        `<div id="wrapper"><div id="header"><img src="dvwa/images/login_logo.png"></div><div id="content"><form action="login.php" method="post"><fieldset><label>Username</label><input name="username"><label>Password</label><input type="password" name="password"><input type="hidden" name="user_token" value="${random(32)}"></fieldset></form></div></div>`,
      ),
  },
  {
    software: 'a newspaper, which shows another story on top',
    moves: 'the title, the top story and the weather',
    page: (_random, turn) =>
      html(
        either(turn, 'Ministers agree on grain | The Herald', 'Live: Floods in the valley | The Herald'),
        '',
        `<nav class="sections">Politics Sport Culture Weather</nav><section class="lead"><h1>${either(turn, 'Ministers agree on grain', 'Live: Floods in the valley')}</h1></section><section class="river"><h2>Also today</h2><p>The orchestra has a new conductor, the old bridge closes for repairs, and the football club looks for a keeper.</p></section><p class="weather">${either(turn, 'Sunny, 14 degrees', 'Rain, 11 degrees')}</p>`,
      ),
  },
];
