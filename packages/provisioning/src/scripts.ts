/** A script or a set of signs that captures render with real glyphs. */
export interface Script {
  /** The name, without commas. */
  name: string;
  /** The value of `lang` in HTML. */
  language: string;
  /** A word or two in the script. */
  text: string;
}

const table: readonly (readonly [name: string, language: string, text: string])[] = [
  ['Latin', 'vi', 'Zażółć gęślą jaźń – Tiếng Việt'],
  ['Greek', 'el', 'Ξεσκεπάζω τὴν ψυχοφθόρα'],
  ['Cyrillic', 'uk', 'Жебракують філософи при ґанку'],
  ['Arabic', 'ar', 'نص حكيم له سر قاطع'],
  ['Persian', 'fa', 'گچ پژواک چهره'],
  ['Urdu', 'ur', 'ٹھنڈا ڈھول ہے'],
  ['Hebrew', 'he', 'דג סקרן שט בים'],
  ['Armenian', 'hy', 'Բել դղյակի ձախ ժամն'],
  ['Georgian', 'ka', 'ვეფხის ტყაოსანი'],
  ['Devanagari', 'hi', 'ऋषियों को सताने वाले'],
  ['Bengali', 'bn', 'আগুনের পরশমণি'],
  ['Gurmukhi', 'pa', 'ਪੰਜਾਬੀ ਬੋਲੀ'],
  ['Gujarati', 'gu', 'ગુજરાતી ભાષા'],
  ['Odia', 'or', 'ଓଡ଼ିଆ ଭାଷା'],
  ['Tamil', 'ta', 'தமிழ் மொழி'],
  ['Telugu', 'te', 'తెలుగు భాష'],
  ['Kannada', 'kn', 'ಕನ್ನಡ ನುಡಿ'],
  ['Malayalam', 'ml', 'മലയാളം ഭാഷ'],
  ['Sinhala', 'si', 'සිංහල භාෂාව'],
  ['Thai', 'th', 'เป็นมนุษย์สุดประเสริฐ'],
  ['Lao', 'lo', 'ພາສາລາວ'],
  ['Khmer', 'km', 'ភាសាខ្មែរ'],
  ['Burmese', 'my', 'မြန်မာဘာသာ'],
  ['Tibetan', 'bo', 'བོད་སྐད་'],
  ['Mongolian', 'mn-Mong', 'ᠮᠣᠩᠭᠣᠯ'],
  ['Ethiopic', 'am', 'አማርኛ ሰላም'],
  ['Cherokee', 'chr', 'ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ'],
  ['Canadian Aboriginal', 'iu', 'ᐃᓄᒃᑎᑐᑦ ᓀᐦᐃᔭᐍᐏᐣ'],
  ['Thaana', 'dv', 'ދިވެހި'],
  ['Syriac', 'syc', 'ܠܫܢܐ ܣܘܪܝܝܐ'],
  ['N’Ko', 'nqo', 'ߒߞߏ'],
  ['Adlam', 'ff-Adlm', '𞤆𞤵𞤤𞤢𞤪'],
  ['Tifinagh', 'zgh', 'ⵜⴰⵎⴰⵣⵉⵖⵜ'],
  ['Vai', 'vai', 'ꕙꔤ'],
  ['Javanese', 'jv-Java', 'ꦧꦱꦗꦮ'],
  ['Balinese', 'ban-Bali', 'ᬩᬲᬩᬮᬶ'],
  ['Sundanese', 'su-Sund', 'ᮘᮞ ᮞᮥᮔ᮪ᮓ'],
  ['Cham', 'cjm', 'ꨀꨇꩉ ꨌꩌ'],
  ['Tai Tham', 'nod', 'ᨲᩫ᩠ᩅᨾᩮᩬᩥᨦ'],
  ['Meetei Mayek', 'mni-Mtei', 'ꯃꯩꯇꯩ ꯃꯌꯦꯛ'],
  ['Ol Chiki', 'sat', 'ᱥᱟᱱᱛᱟᱲᱤ'],
  ['Yi', 'ii', 'ꆈꌠꉙ'],
  ['simplified Chinese', 'zh-CN', '我能吞下玻璃而不伤身体'],
  ['traditional Chinese', 'zh-TW', '我能吞下玻璃而不傷身體'],
  ['Cantonese', 'zh-HK', '我能吞下玻璃，佢哋嘅'],
  ['Bopomofo', 'zh-TW', 'ㄅㄆㄇㄈ'],
  ['Japanese', 'ja', 'いろはにほへと ガラス 直骨'],
  ['Korean', 'ko', '키스의 고유조건은'],
  ['Runic', 'got', 'ᚠᚢᚦᚨᚱᚲ'],
  ['Gothic', 'got', '𐌲𐌿𐍄𐌹𐍃𐌺'],
  ['Coptic', 'cop', 'ϯⲙⲉⲧⲣⲉⲙⲛ̀ⲭⲏⲙⲓ'],
  ['hieroglyphs', 'egy', '𓀀𓂀𓆣'],
  ['cuneiform', 'akk', '𒀀𒁀𒂗'],
  ['Braille', 'en', '⠓⠑⠇⠇⠕'],
  ['mathematics', 'en', '∀x∈ℝ: ⌈x⌉ ≥ ∮ 𝔄 𝒳 ⟨ψ⟩ ∑'],
  ['symbols', 'en', '★ ☎ ✓ → ⌘ ⏏ ♞ ⚕ ▓ ⅔ № ₹ ₿'],
  ['music', 'en', '𝄞 𝄢 ♯'],
  ['emoji', 'en', '😀 👩🏽‍💻 🇦🇹 ❤️ 🫠'],
];

export const scripts: readonly Script[] = table.map(([name, language, text]) => ({ name, language, text }));
