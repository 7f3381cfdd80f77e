/**
 * Languages as pages declare them, and the names that fontconfig rules and fonts use. Without this map both kinds of Chinese
 * would get Japanese forms, and Urdu a display font for regular text only: Chromium names the language only for regular text.
 */
const languages = { 'zh-Hans': 'zh-cn', 'zh-Hant': 'zh-tw', ur: 'ar' };

/** Chromium's `system-ui`, then fonts for scripts where fontconfig alone prefers a font with serifs. */
const preferred = ['DejaVu Sans', 'Noto Sans Gujarati', 'Noto Sans Kannada', 'Noto Sans Sinhala'];

/** GNU FreeFont covers many scripts, and comes with other packages. Fontconfig would prefer it to Noto for Urdu and Bengali. */
const rejected = ['FreeSans', 'FreeSerif', 'FreeMono'];

/**
 * The fontconfig file in the browser's home. Fontconfig reads this file after the machine's rules for single fonts and before
 * the defaults, so Latin text looks the same whatever other fonts are installed.
 */
export const fontConfig = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${Object.entries(languages).map(renameLanguage).join('\n')}
<alias binding="same"><family>sans-serif</family><prefer>${preferred.map((name) => `<family>${name}</family>`).join('')}</prefer></alias>
<selectfont><rejectfont>${rejected.map((name) => `<pattern><patelt name="family"><string>${name}</string></patelt></pattern>`).join('')}</rejectfont></selectfont>
</fontconfig>
`;

function renameLanguage([from, to]: [string, string]): string {
  return `<match target="pattern">
  <test name="lang" compare="eq"><string>${from}</string></test>
  <edit name="lang" mode="assign"><string>${to}</string></edit>
</match>`;
}
