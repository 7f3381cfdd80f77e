/**
 * The words of cookie banners, as stems in lower case, by language. They are written from knowledge of the languages, and
 * only have to recognize a banner, not to understand it: a word that two languages share is listed once.
 */

/** What a banner is about. English "cookie" also serves German, French, Dutch, Spanish, Italian, Portuguese, and others. */
const cookies = [
  'cookie',
  'kakor', // sv
  'informasjonskapsl', // no
  'eväste', // fi
  'sütik|sütit', // hu
  'ciastecz', // pl
  'çerez', // tr
  'куки|кукі|кукита|бисквитк|колачић|колачињ', // ru, uk, bg, sr, mk
  'kolačić|piškotk', // hr, sl
  'küpsis|slapuk|sīkdatn|sīkfail', // et, lt, lv
  'galetes|vafrakök|fianá|témoins de connexion', // ca, is, ga, fr-CA
  'クッキー|쿠키|คุกกี้|कुकी|কুকি|குக்கீ|కుకీ', // ja, ko, th, hi, bn, ta, te
  'עוגיות|קוקיז', // he
  'ملفات تعريف الارتباط|الكوكيز|کوکی', // ar, fa
  'ქუქი|թխուկ', // ka, hy
];

/** Privacy and consent. */
const privacy = [
  'privacy|consent|gdpr|ccpa|personal data|your data',
  'datenschutz|privatsphäre|einwilligung|dsgvo',
  'confidentialité|vie privée|consentement|rgpd',
  'privacidad|consentimiento|privacidade|consentimento|lgpd|privacitat',
  'riservatezza|consenso',
  'toestemming|persoonsgegevens',
  'samtyck|samtykke|integritet|personvern|privatliv',
  'tietosuoja|suostumu|yksityisyy',
  'prywatnoś|zgod[aęy]|rodo',
  'soukrom|souhlas|súkrom|súhlas',
  'adatvéd|hozzájárul',
  'confidențial|consimțământ',
  'поверителност|конфиденциальн|персональн|конфіденційн|персональн|приватност|согласи|съгласи|згод[аиу]|пристанак',
  'απόρρητ|συγκατάθεσ|προσωπικ',
  'privatnost|privol|zasebnost|soglasj|privaatsus|nõusolek|privātum|piekrišan|privatum|sutikim',
  'gizlilik|kişisel veri|kvkk',
  'プライバシー|個人情報|個人データ|개인정보|隐私|隱私|个人信息|個人資料',
  'الخصوصية|פרטיות|حریم خصوصی',
  'गोपनीयता|ความเป็นส่วนตัว|ข้อมูลส่วนบุคคล|quyền riêng tư|dữ liệu cá nhân|privasi|data pribadi|data peribadi',
];

/** What a website does with cookies: with these, a button that only says "OK" is enough. */
const purposes = [
  'we use|uses|use of|website|web site|this site|our site|browser|experience|analy|statisti|traffic|tracking|technolog|advertis|partner|personali[sz]|personal data',
  'verwend|nutzen|webseite|seite|werb|erlebnis|diese',
  'utilis|site|publicit|mesure',
  'utiliz|usamos|sitio|navega|publicid',
  'usa i|usiamo|sito',
  'gebruik|använd|bruker|bruger|anvend|käytä|hjemmeside|nettside|webbplats|sivusto',
  'używ|stron|použív|webov|használ|oldal|folos|site-ul|weboldal',
  'използва|сайт|использ|використ|користи|χρησιμοποι|ιστ[όο]τοπ',
  'korist|uporablj|kasuta|naudoj|izmanto|vefs|usáid',
  'kullan|利用|使用|サイト|사용|웹사이트|网站|網站|استخد|موقع|استفاده|משתמש|אתר',
  'उपयोग|ব্যবহার|ใช้|เว็บไซต์|sử dụng|trang web|menggunakan|situs|laman|გამოიყენ|პირად',
];

/** Buttons that accept. The platform only reads them: it never clicks one. */
const accept = [
  'accept|agree(?!ment)|allow|i consent|give consent|consent to all|consent$|enable all|opt in|i.m in',
  'akzeptier|zustimm|stimme zu|einverstanden|erlaub|zulassen|annehmen|einwillig',
  "j'accepte|d'accord|autoris|tout accepter",
  'acept|de acuerdo|permitir|aceit|concordo|accetta|acconsent|consenti|accepta|d’acord',
  'accepteer|akkoord|toestaan|godkänn|tillåt|samtyck|godta|aksepter|tillat|godkend|tillad|hyväksy|salli kaikki|salli eväst|samþykk',
  'akceptuj|zgadzam|zgoda|zezw[aó]l|přij[mí]|souhlas|povolit|prijať|prijím|súhlas|povoliť|elfogad|engedélyez|hozzájárul',
  'sunt de acord|permite|приема|съгласен|разреш|прихват|слажем|прифа[ќк]|αποδ[έο]χ|αποδοχ|συμφων|επιτρ',
  'prihvati|prihvaća|slažem|dopusti|dozvoli|sprejm|strinjam|dovoli|nõustu|luba k|piekrīt|piekrist|atļaut|sutink|priimti|leisti',
  'kabul e|tümünü kabul|onayl|izin ver|принима|принять|соглас|прийня|прийма|погодж|дозвол',
  '同意|許可|承諾|受け入れ|동의|허용|수락|接受|允许|允許',
  'قبول|أوافق|موافق|اقبل|السماح|می‌پذیرم|می پذیرم|מסכים|אישור|קבל|מאשר|אשר',
  'स्वीकार|सहमत|अनुमति|সম্মত|গ্রহণ|ஏற்|అంగీక|ยอมรับ|ยินยอม|อนุญาต|chấp nhận|đồng ý|cho phép|terima|setuju|izinkan|glac leis|aċċetta|თანხმ|ընդուն',
];

/** Buttons that reject. */
const reject = [
  'reject|decline|deny|refuse|disagree|opt out|necessary only|only necessary|essential only|only essential|strictly necessary',
  'ablehn|verweiger|nur notwendig|nur essenzi|nur erforder|notwendige',
  'refus|rejeter|sans accepter|rechaz|deneg|rejeit|recus|rifiut|rebutj',
  'weiger|afwijz|avvisa|neka|avböj|nödvändig|avvis|avslå|afvis|nødvendig|hylkää|kiell|vältt[äa]mätt|hafna',
  'odrzu|odmaw|niezbędn|odmítn|nezbytn|odmietn|nevyhnutn|elutas|refuz|respinge',
  'отхвърл|отклон|отказ|відхил|відмов|необходим|одбиј|απόρρι|απορρίπτ',
  'odbij|odbaci|zavrn|keeldu|noraid|atmesti|atsisak|reddet|zorunlu',
  '拒否|必須|거부|필수|拒绝|拒絕|رفض|ضروري|דח|סרב|אस्वीकार|अस्वीकार|ปฏิเสธ|từ chối|tolak',
];

/** Buttons that close, acknowledge or open settings. Other dialogs have these too. */
const other = [
  'ok|okay|got it|understood|understand|continue|proceed|dismiss|close|hide|fine|sounds good|no thanks|learn more|more info|×|✕|✖|x|save|confirm',
  'settings|preferences|customi[sz]e|manage|options|choices',
  'verstanden|alles klar|weiter|schließen|in ordnung|einstellungen|auswahl|speichern|anpassen|mehr erfahren',
  'compris|continuer|fermer|paramétr|personnalis|gérer|préférences|en savoir plus',
  'entendido|entiendo|cerrar|continuar|configur|gestion|entendi|fechar|defini|ho capito|chiudi|personalizza|impostazioni',
  'begrepen|sluiten|instellingen|voorkeuren|jag förstår|stäng|inställningar|forstår|lukk|innstillinger|luk|indstillinger|selvä|sulje|asetukset',
  'rozumiem|zamknij|ustawienia|rozum[ií]m|zavř|nastaven|értem|rendben|bezár|beállítások|înțeles|închide|setări',
  'разбра|затвори|настройки|понятно|хорошо|закрыть|зрозуміло|закрити|налаштування|κλείσιμο|ρυθμίσεις|εντάξει|κατάλαβα',
  'u redu|razum|zatvori|postavke|v redu|nastavitve|sain aru|seaded|sapratu|aizvērt|iestat|supratau|uždaryti|nustatymai',
  'tamam|anladım|kapat|ayarlar|了解|閉じる|設定|確認|확인|닫기|설정|知道了|确定|確定|关闭|關閉|设置|設置',
  'حسن|إغلاق|إعدادات|متوجه شدم|הבנתי|סגור|הגדרות|ठीक|बंद|সেটিংস|ตกลง|ปิด|ตั้งค่า|đã hiểu|đóng|tùy chọn|tutup|mengerti|pengaturan|hætta',
];

/** Bakeries sell cookies too. */
const food = [
  'bake|bakery|oven|dough|butter|chocolate|recipe|flour|sugar|delicious|gluten|crispy|tasty|crunch|dozen|add to cart|flavou?r',
  'plätzchen|schoko|backen|bäcker|rezept|beurre|chocolat|recette|galleta|mantequilla|biscott',
];

/** Gates for adults. */
const age = [
  '\\b(?:18|21)\\s*\\+|\\b(?:over|under|least|above)\\s+(?:18|21)\\b|\\b(?:18|21)\\s+(?:years|or older|jahre|ans|años|anni|lat|let|jaar|år)',
  'age verification|verify your age|legal drinking age|altersverifikation|volljährig|mayor de edad|majeur|maggiorenne|18 лет',
];

/** Offers that a visitor may decline. */
const offers = [
  'newsletter|subscri|sign up|log in|sign in|abonn|anmeld|iscriviti|suscr|paywall|premium|discount|coupon|rabatt|% off|inscri',
];

/** Words start with these stems; other scripts write no spaces, or prefixes. */
const startsWith = (stems: string[]) => `(?<![\\p{sc=Latn}\\p{sc=Cyrl}\\p{sc=Grek}])(?:${stems.join('|')})`;

/** The words as sources of regular expressions, with the flags `iu`. */
export const bannerWords = {
  cookies: cookies.join('|'),
  privacy: privacy.join('|'),
  purposes: startsWith(purposes),
  accept: startsWith(accept),
  reject: startsWith(reject),
  /** Short words like "ok" are words of their own. */
  other: `(?<!\\p{L})(?:${other.join('|')})(?!\\p{L})|${other.slice(-2).join('|')}`,
  food: startsWith(food),
  age: age.join('|'),
  offers: offers.join('|'),
};
