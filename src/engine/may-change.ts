import { percentDecoded } from './protocols/http/percent-decoded';

/** Anywhere in an English address. A request for such an address could change something on a site that uses GET for that. */
const ENGLISH =
  /log-?out|log-?off|sign-?(?:out|off)|delete|remove|destroy|drop|erase|revoke|terminate|subscribe|cancel|disable|enable|activate|confirm|approve|reset|clear|purge|install|update|vote|buy|checkout|payment|purchase|donate|refund|transfer|withdraw|shut-?down|reboot|order|add[-_]?to/i;

/** Where they begin a part of an address, a label or a name: `createUser`, `edit_post.php`, "Add to cart". */
const BEGINNING =
  /(?:^|[?&/._=])(?:add|edit|save|create|set|send|resend|invite|pay|wipe|ban|restart|stop|publish|import|register)(?![a-z])|(?:^|[?&/])do(?![a-z])|[?&/](?:new|cmd|action)(?![a-z])/im;

/** Where they end one: `user-add.php`. */
const END = /-(?:add|edit|save|create|send|publish|restart)(?![a-z-])/i;

/** Not the button alone: that of a search has this label and this name too. */
const SUBMIT = /\/submit(?![a-z])|^submit[-_]|\nsubmit (?!query|search)/i;

/** Words that sign out, delete, pay, order, subscribe or send, without accents; `*` ends the beginning of a word. */
const FOREIGN: Readonly<Record<string, string>> = {
  German: `abmeld* auslogg* loesch* losch* entfern* stornier* kuendig* kundig* bezahl* zahlen zahlung* kauf* bestell* abonn*
    abbestell* absend* senden verschick* versenden ueberweis* uberweis* spende* aktivier* deaktivier* zuruecksetz*
    zurucksetz* bestaetig* bestatig*`,
  French: `deconn* supprim* effac* annul* resili* payer paiement* achet* achat commander commande abonn* desabonn* desinscri*
    envoi envoy* valider confirm* reinitialis*`,
  Spanish: `cerrar-?sesion desconect* salir elimin* borrar borra anular pagar pago pagos comprar compra pedido pedidos suscri*
    desuscri* darse-de-baja enviar envio confirm* restablec*`,
  Italian: `disconnet* esci elimin* cancell* rimuov* annulla* paga pagare pagamento acquist* ordina ordine ordini iscriv*
    abbona* disiscri* invia inviare spedisci conferm* ripristin*`,
  Portuguese: `sair desconect* encerrar-?sessao exclui* apagar apaga remover pagar pagamento comprar compra encomend* pedido
    assinar assinatura inscrev* enviar confirm* redefin*`,
  Dutch: `uitlog* afmeld* verwijder* wissen annuleer* annuleren betaal* betalen koop kopen bestel* abonneer* abonneren opzeg*
    verzend* verstuur* bevestig*`,
  Polish: `wylogu* usun usuwanie skasuj anuluj* zaplac* platnosc* kup kupuj kupic zamow* zamawiam subskry* wypisz wyslij
    potwierdz* zresetuj`,
  Turkish: `cikis oturumu-?kapat sil kaldir* iptal ode odeme satin-?al siparis* abone* gonder* onayla* sifirla*`,
  Russian: `vyhod vykhod vyiti vyjti udalit udalenie udali steret otmena otmenit oplat* kupit zakaz* podpis* otpis* otpravit
    otpravka podtver* sbros* выход* выйти удал* стереть отмен* оплат* купи* заказ* подпис* отпис* отправ* подтверд* сброс*`,
  Ukrainian: `vyity vydalyty splatyty zamovyty pidpysatysia nadislaty вийти вихід видал* сплат* замов* підпис* надісл*`,
  Czech: `odhlasit* smazat odstranit zrusit zaplatit koupit objednat odebirat odeslat potvrdit`,
  Swedish: `logga-?ut ta-?bort radera* betala* kop kopa bestall* prenumerera* avsluta* skicka* bekrafta*`,
  Danish: `log-?ud slet slette fjern* betal* koeb kob bestil* abonner* afmeld* bekraeft*`,
  Hungarian: `kijelentkez* torol torles fizetes fizet vasarl* rendeles rendel feliratkoz* leiratkoz* kuldes megerosit*`,
  Romanian: `deconect* sterge plata plateste cumpara comanda abonare trimite`,
  Greek: `aposyndesi diagrafi pliromi paraggelia apostoli αποσυνδ* διαγραφ* πληρωμ* αγορα* παραγγελ* αποστολ*`,
};

const foreign = new RegExp(
  `(?<!\\p{L})(?:${Object.values(FOREIGN)
    .flatMap((words) => words.split(/\s+/))
    .map((word) => (word.endsWith('*') ? word.slice(0, -1) : `${word}(?!\\p{L})`))
    .join('|')})`,
  'iu',
);

/** They sort a list. */
const SORTING = /(?<=[?&])(?:sort[-_]?)?order(?:[-_]?(?:by|dir))?=(?=[a-z_]{0,20}(?:&|$))/gi;

const LETTERS: readonly (readonly [RegExp, string])[] = [
  [/ß/g, 'ss'],
  [/[łŁ]/g, 'l'],
  [/[ıİ]/g, 'i'],
  [/[øØ]/g, 'o'],
  // Accents, but not those that make another Cyrillic letter.
  [/(?<=[a-zα-ω])\p{M}+/giu, ''],
];

const plain = (text: string): string =>
  LETTERS.reduce((all, [from, to]) => all.replace(from, to), text.normalize('NFD')).normalize('NFC');

/** `logOut` and `log out` as `log-out`; signs before a label are no part of it. */
const hyphenated = (text: string): string =>
  text.replace(/(?<=[a-z\d])(?=[A-Z])|[^\S\n]+|\+/g, '-').replace(/^[^\p{L}/?\n]+/gmu, '');

const PATTERNS = [ENGLISH, foreign, BEGINNING, END, SUBMIT];

/**
 * Whether a request for such a path and query, or what a button or an operation of that name sends, may change something.
 * Several labels are separated by line breaks.
 */
export function mayChange(text: string): boolean {
  const words = plain(percentDecoded(text.replace(SORTING, '')));
  return [words, hyphenated(words)].some((one) => PATTERNS.some((pattern) => pattern.test(one)));
}
