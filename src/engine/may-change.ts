import { percentDecoded } from './protocols/http/percent-decoded';
import { overridingParameter } from './transport/reserved-headers';

/** Makes a pattern from a list of words that are separated by spaces. `?` and groups have their meaning in patterns. */
const anyOf = (words: string): string => `(?:${words.trim().split(/\s+/).join('|')})`;

/** Words about past actions only list things: `deleted`, `subscribers`. */
const DONE = '(?!(?:e?[drs]|rs|e?rs|ing|ions?)(?![a-z]))';

/** Matched anywhere in an English address, even within a longer name: `userdelete`. */
const ANYWHERE = new RegExp(
  `${anyOf(`(?<!ca)logout logoff sign-?(?:out|off)(?![a-z]) delete remove destroy unsubscribe deactivat terminate(?![a-z])
    shut-?down(?![a-z]) check-?out(?![a-z])`)}${DONE}|(?<![a-z])(?:${anyOf('(?:re)?create populate truncate uninstall')}${DONE}|log-(?:out|off)(?![a-z]))|(?<![a-z])add[-_]?to[-_]?(?:cart|basket|bag)`,
  'gi',
);

/** Matched as whole words. Most are nouns as well, so their plurals, and words such as "history", only list things. */
const WORDS = new RegExp(
  `(?<![a-z])${anyOf(`erase revoke subscribe cancel disable enable activate confirm approve reset clear purge install update
    (?:up|down)?vote buy payment purchase donate refund transfer withdraw reboot re-?order order(?![-_]?by(?![a-z])) drop flush migrate
    rebuild restore rollback`)}(?![a-z]|[-_ /]?(?:history|list|status|details?|overview|count)(?![a-z]))`,
  'gi',
);

const OF_DATA =
  anyOf(`db databases? tables? schemas? data datasets? users? accounts? admins? passwords? passwd roles? cache
  index(?:es)? all demo samples? dummy fixtures? records? sessions? comments? customers?`);

/** Database verbs joined with a noun, such as `resetdb`, `init-db` and `dropTables`, in both orders. */
const DATA = new RegExp(
  `(?<![a-z])(?:${anyOf(`init initiali[sz]e populate seed fill drop reset clear wipe flush purge re-?build re-?load setup
    set-?up generate make sync restore insert add del rm update edit save`)}[-_]?${OF_DATA}|(?:re-?)?(?:load|import)[-_]?${anyOf(`db databases?
    data dataset tables? schemas? demo samples? dummy fixtures?`)}|${anyOf('db database tables? schema')}[-_]?${anyOf(
    'init initiali[sz]e seed populate fill re-?set setup drop clear load import sync migrate restore',
  )})(?![a-z])`,
  'gi',
);

/** Programs include others by such parameters, so `page=set-background-color.php` shows a page. */
const PAGE_OF_PROGRAM =
  /([?&](?:page|view|file|include|content|template)=)(?:add|edit|save|set|send|register|import)(?=[\w-]{0,60}\.(?:php|html?|jsp|aspx?)(?![a-z]))/gi;

/** Matched at the beginning of a part of an address, a label or a name: `createUser`, `edit_post.php`, "Add to cart". */
const BEGINNING =
  /(?:^|[?&/._=])(?:add|edit|save|create|send|resend|invite|pay|wipe|ban|restart|stop|publish|init|initiali[sz]e|sync|seed)(?![a-z])|(?:^|[?&/=])(?:set|import|register)(?![a-z])|(?:^|[?&/])do(?![a-z])|[?&](?:new|cmd|action)(?![a-z])|\/(?:cmd|action)(?![a-z])/gim;

/** Matched at the end: `user-add.php`. */
const END = /-(?:add|edit|save|create|send|publish|restart|init|seed)(?![a-z-])/gi;

/** Not for the button alone, because a search button has this label and name too. */
const SUBMIT = /\/submit(?![a-z])|^submit[-_]|\nsubmit (?!query|search|button|btn|form|request|values?|now|here)/gi;

/** Static files of a server, such as `reset.css`. */
const STATIC = /(?<=\/)[^/?]{1,200}\.(?:css|m?js|map|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf|eot)(?=$|\?)/i;

const THIRD = '(?:e?s)?(?![a-z])';
const ONE = '\\s+(?:an?|the|this|all|your|our|every|each|any|new)(?![a-z])';
/** Matched in a description at the beginning of a sentence and after "and" or "to". Nouns need an article after them. */
const SAYS = new RegExp(
  `(?:^|[.!?:;]\\s+|(?<![a-z])(?:and|then|also|or|to|will)\\s+)(?:${anyOf(`(?:re)?create populate delete remove destroy erase
    truncate insert add save write modify edit send resend register cancel (?:de)?activate disable enable approve confirm revoke
    publish invite (?:un)?install migrate initiali[sz]e seed re-?build restart wipe purge flush trigger upload increment
    overwrite regenerate`)}${THIRD}|modifies(?![a-z])|${anyOf(`update reset clear drop order vote pay transfer purchase set start
    stop import empty fill buy submit store change`)}(?:e?s|ies)?${ONE}|loads?\\s+(?:dummy|demo|sample|test|initial)(?![a-z])|${anyOf(`erstellt
    legt loescht loscht fuellt fullt befuellt befullt setzt leert speichert aendert andert sendet fuegt fugt entfernt
    initialisiert cree creer supprime ajoute remplit vide reinitialise enregistre modifie envoie initialise crea elimina borra
    agrega anade actualiza guarda envia rellena llena vacia reinicia inicializa restablece modifica aggiunge aggiorna salva
    invia svuota popola reimposta inizializza cria exclui apaga adiciona atualiza preenche popula limpa redefine altera`)}(?!\\p{L}))`,
  'gimu',
);

/** An operation with such a name reads, unless another word says otherwise. */
const READS = /^(?:\w{1,60}[_.])?(?:get|list|find|search|read|fetch|show|view|count|lookup|retrieve)(?=[A-Z_-]|$)/;

/** Words for signing out, deleting, paying, ordering, subscribing or sending, without accents. `*` matches the rest of a word. */
const FOREIGN: Readonly<Record<string, string>> = {
  German: `abmeld* auslogg* loesch* losch* entfern* stornier* kuendig* kundig* bezahl* zahlen zahlung* kauf* bestell* abonn*
    abbestell* absend* senden verschick* versenden ueberweis* uberweis* spende* aktivier* deaktivier* zuruecksetz*
    zurucksetz* bestaetig* bestatig* erstellen anlegen hinzufueg* hinzufug* speichern aendern andern bearbeiten befuell*
    befull* leeren initialisier* einspielen wiederherstell*`,
  French: `deconn* supprim* effac* annul* resili* payer paiement* achet* achat commander commande abonn* desabonn* desinscri*
    envoi envoy* valider confirm* reinitialis* creer* ajout* enregistrer remplir vider initialis* sauvegarder`,
  Spanish: `cerrar-?sesion desconect* salir elimin* borrar borra anular pagar pago comprar compra pedido suscri*
    desuscri* darse-de-baja enviar envio confirm* restablec* crear* agregar anadir actualizar guardar rellenar llenar vaciar reinici*
    inicializ* editar`,
  Italian: `disconnet* esci elimin* cancell* rimuov* annulla* paga pagare pagamento acquist* ordina ordine iscriv*
    abbona* disiscri* invia inviare spedisci conferm* ripristin* crea creare aggiung* aggiorna aggiornare salva salvare svuota* popola reimposta* inizializz*`,
  Portuguese: `sair desconect* encerrar-?sessao exclui* apagar apaga remover pagar pagamento comprar compra encomend* pedido
    assinar assinatura inscrev* enviar confirm* redefin* criar* adicionar atualizar salvar preencher limpar inicializ* alterar editar cadastrar`,
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
  'giu',
);

/** Plural nouns list what exists. */
const LISTS = new RegExp(
  `(?<!\\p{L})${anyOf(`bestellungen zahlungen ueberweisungen spenden abonnements kommandos commandes paiements achats envois pedidos
    pagos compras envios suscripciones ordini pagamenti acquisti iscrizioni abbonamenti pagamentos encomendas assinaturas
    bestellingen betalingen`)}(?!\\p{L})`,
  'giu',
);

/** Parameters that sort a list. */
const SORTING = /(?<=[?&])(?:sort[-_]?)?order(?:[-_]?(?:by|dir))?=(?=[a-z_]{0,20}(?:&|$))/gi;

const LETTERS: readonly (readonly [RegExp, string])[] = [
  [/ß/g, 'ss'],
  [/[łŁ]/g, 'l'],
  [/[ıİ]/g, 'i'],
  [/[øØ]/g, 'o'],
  // Removes accents, except those that make a different Cyrillic letter.
  [/(?<=[a-zα-ω])\p{M}+/giu, ''],
];

const plain = (text: string): string =>
  LETTERS.reduce((all, [from, to]) => all.replace(from, to), text.normalize('NFD')).normalize('NFC');

/** Turns `logOut` and `log out` into `log-out`. Punctuation before a label is removed. */
const hyphenated = (text: string): string =>
  text.replace(/(?<=[a-z\d])(?=[A-Z])|[^\S\n]+|\+/g, '-').replace(/^[^\p{L}/?\n]+/gmu, '');

/** The spelling of an address or a label that all word lists use. */
export const folded = (text: string): string => hyphenated(plain(text));

/** Words for deleting, creating or resetting, which no admin may allow. */
const LASTING = new RegExp(
  `(?<!\\p{L})${anyOf(`(?:re)?creat populat add insert delet remov destroy eras truncat reset drop clear purg wip flush init seed fill
    restor rollback re-?build re-?load migrat uninstall loesch losch entfern zuruecksetz zurucksetz erstell anleg legt hinzufu leer
    befu supprim effac reinitialis cre ajout rempli vid elimin borra vaci reinici restabl rellen agreg anad cancell rimuov svuot
    ripristin reimpost popol aggiun exclu apag limp redefin preench adicion cri verwijder wiss usun usuw skasuj zresetuj sil
    kaldir sifirla udal удал steret стер sbros сброс vydaly видал smaza odstran radera ta-bort slet fjern torol torles sterge
    diagraf διαγραφ`)}`,
  'iu',
);

const STRONG = [ANYWHERE, DATA];
const STRONG_IN_TEXTS = [SAYS, DATA];
const PATTERNS = [...STRONG, WORDS, foreign, BEGINNING, END, SUBMIT];

function wordsIn(text: string, patterns: readonly RegExp[]): string[] {
  const words = plain(text).replace(LISTS, ' ');
  const parts = hyphenated(words);
  return patterns
    .flatMap((pattern) => [parts, ...(pattern === ANYWHERE ? [] : [words])].flatMap((one) => one.match(pattern) ?? []))
    .map((word) => word.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, ''));
}

const wordsOfAddress = (request: string): string[] =>
  wordsIn(percentDecoded(request.replace(SORTING, '').replace(STATIC, '').replace(PAGE_OF_PROGRAM, '$1')), PATTERNS);

/** The description of an operation in an API document. */
export interface Described {
  /** Of the operation. */
  readonly name?: string;
  /** Sentences, and names of groups, which are nouns. */
  readonly texts?: readonly string[];
}

/** The word that shows that a request may change something. */
export interface ChangingWord {
  readonly word: string;
  /** Whether it deletes, creates or resets. */
  readonly isLasting: boolean;
}

/** All words that show that a request may change something. */
export function changingWords(
  request: string,
  label = '',
  { name = '', texts = [] }: Described = {},
): readonly ChangingWord[] {
  const override = overridingParameter(request);
  if (override !== null) return [{ word: override, isLasting: true }];
  return [
    ...wordsOfAddress(request),
    ...wordsIn(label, PATTERNS),
    ...wordsIn(name, READS.test(name) ? STRONG : PATTERNS),
    ...texts.flatMap((text) => wordsIn(text, STRONG_IN_TEXTS)),
  ].map((word) => ({ word, isLasting: LASTING.test(word) }));
}

/**
 * The word that shows that a GET of this path and query, a button with this name, or an operation with this description may
 * change something; null if none does. Each line of a label is a separate label.
 */
export function changingWord(...described: Parameters<typeof changingWords>): ChangingWord | null {
  const words = changingWords(...described);
  return words.find(({ isLasting }) => isLasting) ?? words[0] ?? null;
}

export const mayChange = (...described: Parameters<typeof changingWord>): boolean =>
  changingWord(...described) !== null;
