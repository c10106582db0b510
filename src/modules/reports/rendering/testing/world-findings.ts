import type { SnapshotFinding } from '../../domain/snapshot-finding';
import { finding } from './snapshot-of';

const TEXTS: readonly (readonly [script: string, title: string, text: string])[] = [
  [
    'Latin',
    'Überlauf in der Größenprüfung',
    'Ein zu großer Wert läuft über. Đường dẫn không được kiểm tra. Šifra je čitljiva.',
  ],
  ['Greek', 'Έγχυση εντολών στη φόρμα', 'Η εφαρμογή εκτελεί **κάθε** εντολή που λαμβάνει.'],
  ['Cyrillic', 'Внедрение SQL в поиске заказов', 'Кавычка завершает запрос. Используйте *параметры*.'],
  [
    'Korean',
    '파일 업로드에서 원격 코드 실행',
    '서버는 업로드된 파일을 **모두** 실행합니다. 이미지 파일만 허용하십시오.',
  ],
  ['Chinese', '订单搜索中的注入漏洞', '引号会结束语句。请将值作为**参数**绑定，并限制账户的权限。'],
  [
    'Japanese',
    '注文検索におけるインジェクション',
    '引用符で文が終わります。値をパラメータとしてバインドしてください。',
  ],
  [
    'Arabic',
    'ثغرة حقن قاعدة البيانات',
    'علامة اقتباس في `q` تنهي الاستعلام، ثم تنفذ قاعدة البيانات ما يأتي بعدها.\n\n- استخدم **المعاملات**\n- قيّد صلاحيات الحساب',
  ],
  ['Hebrew', 'הזרקת קוד בחיפוש ההזמנות', 'גרש ב־`q` מסיים את השאילתה. יש לקשור את הערך **כפרמטר**.'],
  ['Devanagari', 'ऑर्डर खोज में इंजेक्शन', 'उद्धरण चिह्न कथन को समाप्त करता है। मान को **पैरामीटर** के रूप में बाँधें।'],
  ['Bengali', 'অর্ডার খোঁজায় ইনজেকশন', 'উদ্ধৃতি চিহ্ন বাক্য শেষ করে। মানটি **পরামিতি** হিসেবে দিন।'],
  ['Tamil', 'ஆர்டர் தேடலில் ஊடுருவல்', 'மேற்கோள் குறி கூற்றை முடிக்கிறது. மதிப்பை **அளவுருவாக** இணைக்கவும்.'],
  ['Thai', 'การแทรกคำสั่งในการค้นหา', 'เครื่องหมายคำพูดจะปิดคำสั่ง และฐานข้อมูลจะทำงานตามข้อความที่ตามมา โปรดผูกค่าเป็นพารามิเตอร์'],
  ['Symbols', 'Symbols: ∀x∈ℝ → ∑, ✓ ☢ ★, 🔥 👍🏽', 'Text with ⇒ arrows, ½ fractions, €, ₿ and 🇩🇪.'],
];

/** A finding in each script that the fonts of reports cover. */
export const worldFindings = (): SnapshotFinding[] =>
  TEXTS.map(([script, title, text], index) =>
    finding(index + 1, { title, md: `${text}\n\n${script}.`, severity: 'medium' }),
  );
