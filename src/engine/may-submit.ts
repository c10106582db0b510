import { changingWords, type Described, folded } from './may-change';
import { percentDecoded } from './protocols/http/percent-decoded';
import { forbiddenSignedIn } from './signed-in/ending-words';
import { overridingParameter } from './transport/reserved-headers';

/** What a form is known by. */
export interface Submitted {
  /** Path and query. */
  readonly path: string;
  /** The texts of its buttons, its id, its heading. */
  readonly label: string;
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  readonly described?: Described;
}

/** Why a form is never submitted, by language, without accents. `*` matches the rest of a word, `-` any sign or none. */
const NEVER: Readonly<Record<string, string>> = {
  English: `logout log-?off sign-?out delet* remov* destroy* eras* purg* wip(?:e|es|ing) empty empties emptying truncat* reset* drop(?:-?(?:table|db|all))? terminat* deactivat*
    disabl* revok* cancel* pay pays payment* payout* billing donat* refund* transfer* withdraw* deposit* purchas* buy buys checkout order(?!-?by) orders ordering
    place-?order re-?order cart basket invoice* credit-?card card-?(?:number|no|holder) cc-?(?:number|csc|exp\\w*) cvv2? cvc2? iban
    invit* subscrib* unsubscrib* newsletter mailing-?list contact contact-?(?:us|form) feedback send sends sending mail-?to send-?mail e-?mail-?(?:this|to) recipient*
    tell-?a-?friend share* refer-?a-?friend forward* notify* support-?ticket book-?(?:now|a|an) booking* reserv* appointment* enquir* inquir* rsvp
    forgot* forgotten recover* restor* import* install* uninstall* shutdown reboot restart* ban suspend* approv*
    impersonat* grant* promote* webhook*`,
  German: `abmeld* auslogg* loesch* losch* entfern* stornier* kuendig* kundig* bezahl* zahlen zahlung* kauf* bestell* warenkorb abonn* abbestell*
    einlad* spende* ueberweis* uberweis* absend* senden verschick* versend* kontakt* nachricht-?senden anfrage* buchen buchung* reservier* termin*
    zuruecksetz* zurucksetz* deaktivier* wiederherstell* passwort-?vergessen`,
  French: `deconn* supprim* effac* annul* resili* payer paiement* achet* achat* panier abonn* desabonn* desinscri* invit* don
    envoy* envoi* contact* nous-?contacter reserv* rendez-?vous reinitialis* rembours* virement* commande commander commandes mot-?de-?passe-?oublie`,
  Spanish: `cerrar-?sesion desconect* salir elimin* borr* anul* cancel* pagar pago* compr* pedido* carrito suscri* desuscri* darse-?de-?baja invit*
    donar donacion enviar envio* contact* reserv* cita restablec* transferencia reembols*`,
  Italian: `disconnet* esci elimin* cancell* rimuov* annull* paga pagare pagamento* acquist* ordin* carrello iscriv* abbon* disiscri* invit* dona donazion*
    invi[ao]* spedi* contatt* prenot* appuntament* ripristin* bonific* rimbors*`,
  Portuguese: `sair desconect* encerrar-?sessao exclu* apag* remov* cancel* pagar pague pagamento* compr* encomend* pedido* carrinho assin* inscrev* convid* convit*
    doar doacao enviar contat* contact* reserv* redefin* transferencia reembols*`,
  Dutch: `uitlog* afmeld* verwijder* wis wissen annuleer* betaal* betalen koop* bestel* winkelwagen abonneer* abonnement opzeg* uitnodig* doneer*
    verzend* verstuur* contact* reserveer* afspraak`,
  Polish: `wylogu* usun* skasuj* anuluj* zapla* platnosc* kup kupuj kupic zamow* zamaw* koszyk subskry* wypisz* zapros* wyslij* kontakt* rezerw* zresetuj*`,
  Turkish: `cikis* sil kaldir* iptal* ode odeme* satin-?al* siparis* sepet* abone* davet* bagis* gonder* iletisim* rezerv* sifirla*`,
  Russian: `vyhod* udal* oplat* kupit* zakaz* korzin* podpis* otpis* priglas* otprav* выход* выйти удал* стереть отмен* оплат* купи* заказ* корзин* подпис*
    отпис* приглас* отправ* перевод* сброс* брон*`,
  Ukrainian: `вийти вихід видал* сплат* купи* замов* кошик* підпис* запрос* надісл* скас* брон*`,
  Czech: `odhlas* smaz* odstran* zrus* zaplat* koup* objedn* kosik odebir* pozv* odesl* kontakt* rezerv*`,
  Swedish: `logga-?ut ta-?bort radera* betal* kop kopa bestall* varukorg prenumerer* avsluta* bjud-?in skicka* kontakt* boka*`,
  Danish: `log-?ud slet* fjern* betal* kob kobe bestil* kurv abonner* afmeld* inviter* send sende kontakt* book*`,
  Hungarian: `kijelentkez* torl* torol* fizet* vasar* rendel* kosar feliratkoz* leiratkoz* meghiv* kuld* kapcsolat* foglal*`,
  Romanian: `deconect* sterge* plata plateste platit* cumpar* comand* cos abon* dezabon* invit* trimit* contact* rezerv*`,
  Greek: `αποσυνδ* διαγραφ* πληρωμ* αγορα* παραγγελ* καλαθ* εγγραφ* προσκλ* αποστολ* επικοινων* κρατησ*`,
  Japanese: `ログアウト 削除 支払* 購入 注文 カート 登録解除 招待 送信 お問い合わせ 予約`,
  Chinese: `退出 注销 删除 刪除 支付 付款 购买 購買 订单 訂單 购物车 订阅 訂閱 邀请 發送 发送 联系 预订`,
};

const never = new RegExp(
  `(?<![\\p{L}\\d])(?:${Object.values(NEVER)
    .flatMap((words) => words.trim().split(/\s+/))
    .map((word) => (word.endsWith('*') ? word.slice(0, -1) : `${word}(?!\\p{L})`))
    .join('|')})`,
  'iu',
);
/** Languages that write without spaces. */
const neverInside = new RegExp(
  [NEVER['Japanese'], NEVER['Chinese']]
    .join(' ')
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.replace('*', ''))
    .join('|'),
  'u',
);

const LONGEST_VALUE = 60;
const LONGEST = 4_000;

const spelled = (text: string): string => folded(percentDecoded(text).slice(0, LONGEST)).replace(/[_.]/g, '-');

/**
 * The word for which a form or an operation is never submitted: it signs out, deletes, pays, orders, invites, subscribes, mails
 * somebody, or changes a password or an address. Null if nothing says so.
 */
export function neverSubmitted({ path, label, fields, described = {} }: Submitted): string | null {
  const body = new URLSearchParams(fields.map(({ name, value }): [string, string] => [name, value])).toString();
  const override = overridingParameter(path) ?? overridingParameter(`?${body}`);
  if (override !== null) return override;
  const names = fields.map(({ name }) => name);
  // Hidden fields choose what is done: `action=delete`.
  const values = fields.map(({ value }) => value).filter((value) => value.length <= LONGEST_VALUE);
  const { name = '', texts = [] } = described;
  const all = [path, label, name, ...names, ...values].map(spelled).join('\n');
  const found = never.exec(all) ?? neverInside.exec(all);
  if (found !== null) return found[0];
  const account = forbiddenSignedIn(path, [label, name, ...names].join('\n'));
  return account ?? commandIn(path, [label, ...names, ...values].join('\n'), described) ?? changedBy(texts);
}

/** What a form creates or adds may be submitted. */
const CREATES = /^(?:creat|add|insert|cre|cria|legt|erstell|anleg|hinzuf|fuegt|fugt|ajout|agreg|anad|aggiun|adicion)/i;

/** The word by which it deletes, empties or resets something. A GET with such a word is never sent either. */
function commandIn(...described: Parameters<typeof changingWords>): string | null {
  const found = changingWords(...described).find(({ word, isLasting }) => isLasting && !CREATES.test(word));
  return found?.word ?? null;
}

/** Operations that take what is entered. */
const ENTERS = new RegExp(`${CREATES.source}|^(?:register|submit|store|upload|write|new|do)`, 'i');

/** The word in the name, the path or the description of an operation by which it changes what exists, or null. */
export function replacedBy(path: string, described: Described = {}): string | null {
  return changingWords(path, '', described).find(({ word }) => !ENTERS.test(word))?.word ?? null;
}

/** The verb of a description that says so. */
function changedBy(texts: readonly string[]): string | null {
  return changingWords('', '', { texts }).find(({ word }) => never.test(spelled(word)))?.word ?? null;
}
