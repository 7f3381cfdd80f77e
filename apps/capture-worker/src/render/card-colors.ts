/** Red, green and blue, 0 to 255. */
export type Color = readonly [number, number, number];

export interface CardColors {
  background: string;
  title: string;
  text: string;
  accent: string;
  /** The colour of text on the accent. */
  onAccent: string;
  line: string;
}

export const white: Color = [255, 255, 255];
export const black: Color = [13, 17, 23];

/** Colours for sites without a theme colour. A site always gets the same colour. Contrast with white is at least 4.5 : 1. */
const palette: readonly Color[] = [
  [37, 99, 235],
  [124, 58, 237],
  [190, 24, 93],
  [185, 28, 28],
  [180, 83, 9],
  [4, 120, 87],
  [15, 118, 110],
  [71, 85, 105],
];

/** Minimum contrast of WCAG 2.2: text (AAA, AA) and graphics. */
const titleContrast = 7;
const textContrast = 4.5;
const shapeContrast = 3;

/** Picks a colour for a site that has no theme colour. */
export function defaultColor(site: string): Color {
  let sum = 0;
  for (const character of site) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return palette[sum % palette.length] ?? black;
}

/** Derives a card's colours from the site's colour, each with the contrast that WCAG requires. */
export function cardColors(siteColor: Color, theme: 'light' | 'dark'): CardColors {
  const dark = theme === 'dark';
  const [ground, ink] = dark ? [black, white] : [white, black];
  const background = mix(ground, siteColor, dark ? 0.1 : 0.05);
  const accent = withContrast(siteColor, ink, background, shapeContrast);
  const onAccent = contrast(accent, white) >= contrast(accent, black) ? white : black;
  return {
    background: hex(background),
    title: hex(withContrast(mix(ink, siteColor, 0.04), ink, background, titleContrast)),
    text: hex(withContrast(mix(ink, background, 0.36), ink, background, textContrast)),
    accent: hex(accent),
    onAccent: hex(onAccent),
    line: hex(mix(background, ink, 0.12)),
  };
}

/** Returns the contrast ratio of two colours, 1 to 21 (WCAG 2.2). */
export function contrast(a: Color, b: Color): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((one, other) => other - one);
  return (light + 0.05) / (dark + 0.05);
}

/** Returns the relative luminance, 0 to 1 (WCAG 2.2). */
function luminance([red, green, blue]: Color): number {
  const linear = (channel: number) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Mixes ink into a colour until its contrast with the ground is sufficient. */
function withContrast(color: Color, ink: Color, ground: Color, minContrast: number): Color {
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(color, ink, share);
    if (contrast(mixed, ground) >= minContrast) return mixed;
  }
  return ink;
}

function mix(one: Color, other: Color, share: number): Color {
  const channel = (index: 0 | 1 | 2) => Math.round(one[index] + (other[index] - one[index]) * share);
  return [channel(0), channel(1), channel(2)];
}

function hex(color: Color): string {
  return `#${Buffer.from(color).toString('hex')}`;
}
