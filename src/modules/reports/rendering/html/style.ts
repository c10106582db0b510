import { SEVERITIES } from '../../../../kernel/severity';
import { Markup } from '../markup';
import { PALETTE, SEVERITY_COLORS } from '../palette';

const severities = SEVERITIES.map(
  (severity) => `.severity-${severity}{background:${SEVERITY_COLORS[severity]}}
.ink-${severity}{color:${SEVERITY_COLORS[severity]}}
.edge-${severity}{border-top-color:${SEVERITY_COLORS[severity]}}`,
).join('\n');

/** For paper and for screens of every width. It uses fonts of the system, because the file fetches nothing. */
export const style = Markup.trusted(`
:root{color-scheme:light;--ink:${PALETTE.ink};--muted:${PALETTE.muted};--line:${PALETTE.line};--tint:${PALETTE.tint};--paper:${PALETTE.paper};--accent:${PALETTE.accent};
--sans:"Noto Sans",system-ui,-apple-system,"Segoe UI","Helvetica Neue",Arial,sans-serif;
--mono:"Noto Sans Mono",ui-monospace,"SF Mono",Menlo,Consolas,monospace}
*{box-sizing:border-box}
html{color:var(--ink);background:var(--paper);font:15px/1.6 var(--sans);-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-behavior:smooth}
body{margin:0;overflow-wrap:anywhere;overflow-x:clip;font-variant-numeric:tabular-nums}
h1,h2,h3,h4{line-height:1.25;margin:0;font-weight:650;letter-spacing:-.012em;text-wrap:balance}
p{margin:0 0 .8em}
a{color:var(--accent);text-underline-offset:.18em;text-decoration-thickness:from-font}
code,pre{font-family:var(--mono);font-size:.875em}
ol,ul{margin:0;padding:0;list-style:none}
dl,dd,figure{margin:0}
svg{display:block;max-width:100%;height:auto;font-family:var(--sans)}
table{border-collapse:collapse}
th{font-weight:inherit;text-align:start}
.faint{color:var(--muted)}
.place{font-family:var(--mono);font-size:.9em}

.cover{max-width:66.5rem;margin:0 auto;padding:2.4rem 1.5rem 1.6rem;display:grid;gap:2rem}
:is(.cover,.letter) .kind{margin:0;padding-top:.8rem;border-top:3px solid var(--accent);color:var(--accent);font-size:.8rem;font-weight:600;letter-spacing:.06em;text-transform:uppercase}
.logo{margin:0}.logo img{display:block;width:auto;height:auto;max-width:min(64mm,100%);max-height:24mm}
.cover h1{font-size:clamp(1.9rem,4.6vw,3rem);line-height:1.12;letter-spacing:-.015em;max-width:26ch}
.cover .owner{margin:0 0 .5rem;font-size:1.15rem;color:var(--muted)}
.cover .subtitle{margin:.9rem 0 0;font-size:1.2rem}
.cover .glance svg{width:100%;height:7px}
.cover .glance ul{display:flex;flex-wrap:wrap;gap:.3rem 1.6rem;margin-top:.7rem;font-size:.82rem;font-weight:600}
.cover .glance li b{font-size:1.25rem;margin-inline-end:.2rem}
.labels{display:grid;gap:.45rem;font-size:.93rem}
.labels div{display:grid;grid-template-columns:9rem minmax(0,1fr);gap:1rem}
.labels dt{color:var(--muted)}
.page{display:grid;grid-template-columns:minmax(0,16.5rem) minmax(0,46rem);gap:4rem;justify-content:center;padding:0 1.5rem}
main{padding:1rem 0 4rem}
.board{max-width:66.5rem;margin:0 auto;padding:0 1.5rem}.board .chapter{padding-top:1.6rem}.board>section>.wide>svg{max-width:46rem}.part{margin-top:3.4rem;font-size:.95rem;color:var(--accent)}.part+.chapter{padding-top:1rem}
.contents{position:sticky;top:0;align-self:start;max-height:100vh;overflow:auto;padding:3.4rem 0 2rem;font-size:.86rem;line-height:1.4}
.contents h2{font-size:.75rem;letter-spacing:.13em;text-transform:uppercase;color:var(--muted);font-weight:600;margin-bottom:.9rem}
.contents a{display:block;padding:.24rem 0;text-decoration:none;color:var(--ink)}
.contents>ol>li>a{font-weight:600}
.contents a:hover{color:var(--accent);text-decoration:underline}
.contents .findings{margin:.15rem 0 .7rem}
.contents .findings a{color:var(--muted);display:flex;align-items:baseline;gap:.5rem}
.document{margin-top:2rem}.contents .document .labels{font-size:.95em;gap:.6rem}.contents .document .labels div{grid-template-columns:minmax(0,1fr);gap:0}
.contents .findings i{flex:none;width:.5rem;height:.5rem;border-radius:50%;transform:translateY(-.06rem)}
.contents .findings bdi{display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidden}

.chapter{padding:3.4rem 0 0}
.chapter>h2{font-size:1.85rem;letter-spacing:-.022em;padding-bottom:.7rem;margin-bottom:1.4rem;border-bottom:2px solid var(--ink)}
.chapter h3{font-size:1.06rem;margin:2rem 0 .8rem}
.lead{font-size:1.12rem;line-height:1.62;max-width:42rem}
.numbers{display:grid;grid-template-columns:repeat(4,minmax(0,1fr));margin:1.8rem 0 .6rem;border:1px solid var(--line);border-radius:6px}
.number{padding:1rem 1.2rem;border-inline-start:1px solid var(--line)}
.number:first-child{border:0}
.number b{display:block;font-size:2.1rem;line-height:1.1;letter-spacing:-.03em;font-weight:650}
.number span{color:var(--muted);font-size:.88rem}
.limits{margin:1.4rem 0 0;padding:.8rem 1rem;background:var(--tint);border-inline-start:2px solid var(--accent);font-size:.93rem}.limits li+li{margin-top:.4rem}.limits p{margin:.3rem 0 0}
.points{list-style:disc;padding-inline-start:1.3em}.points li{margin:.35em 0}
.plain{width:100%;font-size:.93rem;line-height:1.45}
.plain thead th{color:var(--muted);font-size:.8rem;padding:0 .9rem .45rem 0;border-bottom:1px solid var(--ink);vertical-align:bottom}
.plain tbody :is(td,th){padding:.5rem .9rem .5rem 0;border-bottom:1px solid var(--line);vertical-align:top}
.plain :is(td,th):last-child{padding-inline-end:0}
.plain .count{text-align:end;white-space:nowrap}
.plain .note{margin:.2rem 0 0;color:var(--muted);font-size:.88rem;font-family:var(--sans)}
.register,.scope{table-layout:fixed}
.register thead th:nth-child(1){width:3.6rem}.register thead th:nth-child(2){width:7.4rem}.register thead th:nth-child(4){width:31%}.register thead th:nth-child(5){width:9.6rem}
.urgent{table-layout:fixed}.urgent thead th:nth-child(1){width:8.2rem}.urgent thead th:nth-child(3){width:23%}.urgent thead th:nth-child(4){width:27%}
.numbered th[scope=row]{min-width:9rem}
.checks,.retests{min-width:38rem}.tested{table-layout:fixed;min-width:34rem}.tested thead th:nth-child(1){width:36%}.tested thead th:nth-child(2){width:30%}.retests thead th:nth-child(1){width:30%}.changes{min-width:34rem}.changes thead th:nth-child(1){width:30%}.changes thead th:nth-child(3){width:6.4rem}.retests thead th:nth-child(2){width:6.4rem}.retests thead th:nth-child(4){width:8.6rem}.terms th{width:12rem}.checks thead th:nth-child(2){width:4rem}.checks td:nth-child(2){white-space:nowrap;overflow-wrap:normal}
.scope thead th:nth-child(2){width:4.8rem}.scope thead th:nth-child(3){width:3.4rem}.scope thead th:nth-child(4){width:5rem}
.scope thead th:nth-child(5){width:7.6rem}.scope thead th:nth-child(6){width:4.6rem}
.wide{overflow-x:auto}.wide>svg{min-width:34rem}
.register a{font-weight:600}
.picked{table-layout:fixed;min-width:50rem}
#assessment .prose{padding-inline-start:1rem;border-inline-start:3px solid var(--accent)}
.letter{max-width:46rem;margin:0 auto;padding:2.4rem 1.5rem}.letter h1{font-size:1.7rem;margin-bottom:.4rem}.letter .owner{margin:1rem 0 .2rem;color:var(--muted)}.letter .plain{margin:1.2rem 0 1.4rem}.letter .plain :is(td,th):not(:first-child){width:5rem}
.signature{width:20rem;max-width:100%;margin:4.5rem 0 1rem;padding-top:.4rem;border-top:1px solid var(--ink)}
.places li{padding:.4rem 0;border-bottom:1px solid var(--line)}
.gaps{margin-top:1.2rem}.gaps h4{font-size:.95rem;margin-bottom:.4rem}
.gaps li{padding:.3rem 0;font-size:.9rem}

.badge,.status{display:inline-block;font-size:.78rem;line-height:1;padding:.36em .62em;border-radius:3px;white-space:nowrap;font-weight:600}
.badge{color:#fff}
.status{border:1px solid var(--line);color:var(--muted)}
.status.open{color:${PALETTE.found};border-color:currentColor}.status.resolved{color:${PALETTE.resolved};border-color:currentColor}

.finding{margin-top:2.6rem;padding-top:1rem;border-top:2px solid var(--line)}
.outside{color:${PALETTE.found};font-size:.84rem;font-weight:600}
.verdict{display:inline-flex;align-items:center;gap:.35em}.verdict svg{flex:none}
.finding:target header{background:var(--tint);box-shadow:0 0 0 .5rem var(--tint)}
.finding,.plain :is(td,th),.gaps li,.contents li{overflow:clip}
.finding .badges{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem;margin:0 0 .6rem;font-size:.86rem}
.finding h3{font-size:1.42rem;margin:0;letter-spacing:-.018em}
.finding .facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(14rem,1fr));gap:.7rem 1.6rem;margin:1.1rem 0 1.4rem;padding:.95rem 1.1rem;background:var(--tint);border-radius:6px;font-size:.89rem;line-height:1.4}
.finding dt{color:var(--muted);font-size:.8rem}
.finding h4{font-size:.98rem;margin:1.7rem 0 .6rem}
.prose{overflow-x:auto}
.prose :is(h1,h2,h3,h4,h5,h6){font-size:1.02rem;margin:1.4em 0 .5em}
.prose :is(p,li,h1,h2,h3,h4,h5,h6,td,th,blockquote){unicode-bidi:plaintext;text-align:start}
.prose :is(ul,ol){margin:0 0 .8em;padding-inline-start:1.5em;list-style:disc}.prose ol{list-style:decimal}
.prose li{margin:.2em 0}
.prose blockquote{margin:0 0 .8em;padding-inline-start:1em;border-inline-start:3px solid var(--line);color:var(--muted)}
.prose table{display:block;width:max-content;max-width:100%;overflow-x:auto;margin:0 0 1em;font-size:.9rem}
.prose :is(td,th){padding:.4rem .8rem;border:1px solid var(--line);min-width:4rem}
.prose th{background:var(--tint);font-weight:600}
.prose :not(pre)>code{background:var(--tint);padding:.1em .32em;border-radius:3px}
.prose hr{border:0;border-top:1px solid var(--line);margin:1.4em 0}
pre{margin:0 0 1em;padding:.85rem 1rem;background:var(--tint);border-radius:6px;white-space:pre-wrap;line-height:1.5;max-height:28rem;overflow:auto}
.tests>ol>li,.history li{padding:.55rem 0;border-top:1px solid var(--line);font-size:.92rem}
.tests p,.history p{margin:0 0 .25rem}
.said{padding-inline-start:.9rem;border-inline-start:3px solid var(--line);color:var(--muted)}
.probes{margin:.6rem 0 .2rem}
.probe{padding:.6rem 0 .3rem 1.1rem;border-inline-start:3px solid var(--line)}
.probe.vulnerable{border-color:${PALETTE.found}}.probe.not_vulnerable{border-color:${PALETTE.resolved}}.probe:is(.inconclusive,.blocked){border-color:${PALETTE.uncertain}}
.exchange{margin:.6rem 0 0}
.exchange figcaption{color:var(--muted);font-size:.84rem;margin-bottom:.3rem}
.exchange pre{margin-bottom:.35rem;font-size:.8rem}
.exchange .answer{background:none;border:1px solid var(--line)}
mark{background:${PALETTE.mark};color:inherit;font-weight:600}pre i{color:var(--muted);font-family:var(--sans)}
.note{color:var(--muted);font-size:.84rem}.others{font-size:.84rem;color:var(--muted)}
footer{padding:1.6rem;border-top:1px solid var(--line);color:var(--muted);font-size:.84rem;text-align:center}
${severities}

@media (max-width:62rem){
.page{grid-template-columns:minmax(0,46rem);gap:0}
.contents{position:static;max-height:none;padding:2rem 0 0}
.contents .findings{columns:2;column-gap:2rem}
}
@media (max-width:40rem){
.wide>svg{min-width:0}
html{font-size:14px}
.numbers{grid-template-columns:1fr 1fr}.number:nth-child(3){border-inline-start:0}.number:nth-child(n+3){border-top:1px solid var(--line)}
.contents .findings{columns:1}
.register thead{display:none}
.urgent :is(td,th):nth-child(3){display:none}
.register tr{display:block;padding:.7rem 0;border-bottom:1px solid var(--line)}
.plain.register :is(td,th){display:block;width:auto;border:0;padding:.15rem 0}
.scope :is(td,th):not(:first-child,:nth-child(5)){display:none}
}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}

@page{size:A4;margin:18mm 17mm 20mm;@bottom-right{content:counter(page);font:8.5pt var(--sans);color:${PALETTE.muted}}}
@page :first{margin:0;@bottom-right{content:none}}
@media print{
html{font-size:9.5pt}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
.cover{min-height:297mm;max-width:none;padding:24mm 22mm;display:flex;flex-direction:column;gap:9mm}
.cover .title{margin-block:auto}
.page{display:block;padding:0}
.contents{position:static;max-height:none;overflow:visible;padding:0}
.contents .findings{columns:2;column-gap:8mm}.contents .document .labels div{grid-template-columns:38mm minmax(0,1fr)}
main{padding:0}
.board{max-width:none;padding:0;font-size:8.5pt;line-height:1.4}.board+.page{break-before:page}.board .chapter{padding-top:0}.board h3{margin:4mm 0 1.5mm}.board .numbers{margin:4mm 0 0}.board .number{padding:2mm 3mm}.board .number b{font-size:1.6rem}.board .plain :is(td,th){padding-block:.9mm}.board>section>.wide>svg{max-height:30mm;width:auto}
.chapter{padding:12mm 0 0}.chapter>h2,.chapter>.lead,.numbers{break-after:avoid}
.chapter h3,.finding header,.finding h4,.finding .facts,.chapter>h2{break-after:avoid}
.lead,.limits,.finding header,.number,.plain tr,.finding .facts,svg,.history li{break-inside:avoid}
.finding{margin-top:9mm}
.prose{overflow:visible}
.prose table{display:table;width:100%;table-layout:fixed;font-size:7.5pt}.prose :is(td,th){min-width:0;padding:1mm}
pre{max-height:none;overflow:visible}
a{color:inherit;text-decoration:none}
footer{display:none}
.letter{padding:20mm 22mm}
}
`);
