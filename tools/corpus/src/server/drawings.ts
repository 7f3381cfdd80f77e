/** A drawing that a page wants, in a box of this size. `n` varies the drawing. */
export interface Drawing {
  of: string;
  n: number;
  width: number;
  height: number;
}

type Random = () => number;

/** Returns numbers from 0 to 1, equal for equal seeds. */
function seeded(seed: number): Random {
  let state = (seed + 1) * 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The colours of the sky's top and bottom, the sun, and the land from far to near. */
const lights = [
  ['#274b7a', '#f3b48b', '#fff0c9', '#b98f9e', '#1d2b45'],
  ['#7fb7d8', '#eaf4ec', '#fffbe0', '#9fc3bd', '#1f4d46'],
  ['#3b2a5f', '#f08a6b', '#ffd9a0', '#a0587f', '#241a3a'],
  ['#f0c987', '#fbeed6', '#ffffff', '#d9a56c', '#5d3a26'],
  ['#0f2740', '#4f86a6', '#eef6fa', '#4c7893', '#0b1c2c'],
  ['#c8d9e6', '#fbf3ea', '#fff7dc', '#a7b7bf', '#39505c'],
] as const;

type Light = (typeof lights)[number];

const lightOf = ({ n }: Drawing): Light => lights[Math.abs(n) % lights.length] ?? lights[0];

const channels = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** Mixes two colours. @param share of the second, 0 to 1. */
function between(one: string, other: string, share: number): string {
  const [from, to] = [channels(one), channels(other)];
  return `rgb(${from.map((each, at) => Math.round(each + ((to[at] ?? 0) - each) * share)).join(',')})`;
}

const gradient = (id: string, from: string, to: string, across = false) =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="${across ? 1 : 0}" y2="${across ? 0 : 1}"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`;

function sky([top, bottom, sun]: Light, { width, height }: Drawing, random: Random, sunY: number): string {
  const size = Math.min(width, height);
  const x = width * (0.25 + random() * 0.5);
  return `<defs>${gradient('sky', top, bottom)}</defs><rect width="${width}" height="${height}" fill="url(#sky)"/>
<circle cx="${x}" cy="${height * sunY}" r="${size * 0.2}" fill="${sun}" opacity=".25"/><circle cx="${x}" cy="${height * sunY}" r="${size * 0.11}" fill="${sun}"/>`;
}

/** Draws ridges in the haze, the nearest with firs. */
function hills(drawing: Drawing): string {
  const { n, width, height } = drawing;
  const random = seeded(n);
  const light = lightOf(drawing);
  const ridges = 5;
  const parts = [sky(light, drawing, random, 0.3)];
  for (let ridge = 0; ridge < ridges; ridge += 1) {
    const base = height * (0.5 + ridge * 0.11);
    const waves = [1, 2.3, 4.7, 9.1].map((pitch) => ({
      pitch,
      phase: random() * 7,
      rise: (height * 0.13 * (0.6 + random() * 0.5)) / pitch,
    }));
    const heightAt = (x: number) =>
      base -
      waves.reduce(
        (sum, { pitch, phase, rise }) => sum + rise * (1 - 2 * Math.abs(Math.sin((x / width) * 2.2 * pitch + phase))),
        0,
      );
    const edge = Array.from({ length: 121 }, (_, at) => [(width * at) / 120, heightAt((width * at) / 120)] as const);
    const fill = between(light[3], light[4], ridge / (ridges - 1));
    parts.push(
      `<path d="M0 ${height} ${edge.map(([x, y]) => `L${x.toFixed(1)} ${y.toFixed(1)}`).join(' ')} L${width} ${height}Z" fill="${fill}"/>`,
    );
    if (ridge < ridges - 1) continue;
    for (let tree = 0; tree < 46; tree += 1) {
      const x = random() * width;
      const tall = height * (0.04 + random() * 0.07);
      const foot = heightAt(x) + tall * 0.2;
      parts.push(
        `<path d="M${x.toFixed(1)} ${(foot - tall).toFixed(1)}l${(tall * 0.22).toFixed(1)} ${tall.toFixed(1)}h${(-tall * 0.44).toFixed(1)}z" fill="${light[4]}"/>`,
      );
    }
  }
  return parts.join('');
}

/** Draws the sea under a low sun, with a lighthouse on a rock and a sail. */
function sea(drawing: Drawing): string {
  const { n, width, height } = drawing;
  const random = seeded(n + 100);
  const light = lightOf(drawing);
  const horizon = height * 0.58;
  const parts = [
    sky(light, drawing, random, 0.5),
    `<defs>${gradient('water', between(light[3], light[1], 0.35), light[4])}</defs><rect y="${horizon}" width="${width}" height="${height - horizon}" fill="url(#water)"/>`,
  ];
  for (let wave = 0; wave < 26; wave += 1) {
    const y = horizon + (height - horizon) * random() ** 1.4;
    const long = width * (0.03 + random() * 0.14);
    parts.push(
      `<rect x="${(random() * width).toFixed(1)}" y="${y.toFixed(1)}" width="${long.toFixed(1)}" height="${(height * 0.006).toFixed(2)}" rx="1" fill="${light[2]}" opacity="${(0.15 + random() * 0.35).toFixed(2)}"/>`,
    );
  }
  const flip = random() > 0.5;
  const unit = height / 100;
  const rock = `<path d="M0 ${height} L0 ${height - 47 * unit} Q${14 * unit} ${height - 58 * unit} ${30 * unit} ${height - 50 * unit} T${58 * unit} ${height - 28 * unit} L${84 * unit} ${height}Z" fill="${light[4]}"/>`;
  const tower = `<g transform="translate(${22 * unit} ${height - 53 * unit}) scale(${unit})"><path d="M-4 0 L-2.6 -30 H2.6 L4 0Z" fill="#fdfaf3"/><path d="M-3.6 -8 L-3.2 -16 H3.2 L3.6 -8Z M-2.9 -23 L-2.6 -30 H2.6 L2.9 -23Z" fill="#d1493f"/><path d="M-3.4 -30 h6.8 v-1.4 h-6.8z M-3 -36.5 L0 -40 L3 -36.5Z" fill="#2a2f3a"/><rect x="-2" y="-36.5" width="4" height="5.2" fill="#ffe9a8"/></g>`;
  const x = width * (0.62 + random() * 0.2);
  const boat = `<g transform="translate(${x} ${horizon + 9 * unit}) scale(${unit * 0.9})"><path d="M0 0 V-17 L10 -2Z M-1.2 -2 V-14 L-7 -2Z" fill="#fdfaf3"/><path d="M-9 0 H12 L8 4 H-6Z" fill="${light[4]}"/></g>`;
  parts.push(
    flip ? `<g transform="translate(${width} 0) scale(-1 1)">${rock}${tower}${boat}</g>` : rock + tower + boat,
  );
  return parts.join('');
}

/** Draws a town in the evening. */
function town(drawing: Drawing): string {
  const { n, width, height } = drawing;
  const random = seeded(n + 200);
  const light = lightOf(drawing);
  const parts = [sky(light, drawing, random, 0.36)];
  for (const [row, share] of [0.15, 0.5, 1].entries()) {
    for (let x = -height * 0.05; x < width; ) {
      const wide = height * (0.1 + random() * 0.13);
      const tall = height * (0.3 + random() * 0.32 - row * 0.06);
      parts.push(
        `<rect x="${x.toFixed(1)}" y="${(height - tall).toFixed(1)}" width="${(wide + 1).toFixed(1)}" height="${tall.toFixed(1)}" fill="${between(light[3], light[4], share)}"/>`,
      );
      const step = height * 0.04;
      for (let top = height - tall + step; row === 2 && top < height; top += step)
        for (let left = x + step * 0.6; left < x + wide - step * 0.6; left += step * 0.8)
          if (random() > 0.55)
            parts.push(
              `<rect x="${left.toFixed(1)}" y="${top.toFixed(1)}" width="${(step * 0.34).toFixed(1)}" height="${(step * 0.48).toFixed(1)}" fill="#ffdf9a" opacity="${(0.5 + random() * 0.5).toFixed(2)}"/>`,
            );
      x += wide;
    }
  }
  return parts.join('');
}

const glazes = [
  ['#e9e1d3', '#c96f4a', '#e9a27f'],
  ['#dbe5e4', '#3f6f73', '#7fa9a8'],
  ['#efe6da', '#d9b15f', '#f0d79b'],
  ['#e4dfe8', '#6f5d8c', '#a394bd'],
  ['#dfe6da', '#5f7d52', '#9bb48b'],
  ['#ecdedd', '#a8454a', '#d48a8a'],
] as const;

function vase({ n, width, height }: Drawing): string {
  const random = seeded(n + 300);
  const [wall, glaze, shine] = glazes[Math.abs(n) % glazes.length] ?? glazes[0];
  const unit = Math.min(width, height) / 100;
  const [neck, belly, foot] = [7 + random() * 9, 19 + random() * 9, 10 + random() * 6];
  const tall = 44 + random() * 18;
  const shoulder = -tall * 0.84;
  const body = `M${foot} 0 C${belly + 6} ${-tall * 0.3} ${belly} ${-tall * 0.75} ${neck} ${shoulder} L${neck + 2} ${-tall} L${-neck - 2} ${-tall} L${-neck} ${shoulder} C${-belly} ${-tall * 0.75} ${-belly - 6} ${-tall * 0.3} ${-foot} 0Z`;
  const stems = Array.from({ length: 4 }, (_, at) => {
    const lean = (at - 1.5) * 9 + random() * 5;
    const top = -tall - 14 - random() * 14;
    return `<path d="M0 ${-tall} Q${lean * 0.2} ${top * 0.9} ${lean} ${top}" stroke="#56633f" stroke-width=".8" fill="none"/><circle cx="${lean}" cy="${top}" r="${2.2 + random() * 1.6}" fill="${at % 2 ? shine : '#fdf6ea'}"/>`;
  });
  return `<defs>${gradient('glaze', shine, glaze, true)}</defs><rect width="${width}" height="${height}" fill="${wall}"/><rect y="${height * 0.76}" width="${width}" height="${height * 0.24}" fill="${between(wall, glaze, 0.22)}"/>
<g transform="translate(${width / 2} ${height * 0.86}) scale(${unit})"><ellipse cx="9" cy="0" rx="${belly + 10}" ry="4" fill="#000" opacity=".14"/>${random() > 0.4 ? stems.join('') : ''}<path d="${body}" fill="url(#glaze)"/></g>`;
}

const scenes: Readonly<Record<string, (drawing: Drawing) => string>> = { hills, sea, town, vase };

/** Draws an illustration for pages that should look real, as SVG: `hills` (also for unknown names), `sea`, `town`, `vase`. */
export function draw(drawing: Drawing): string {
  const { of, width, height } = drawing;
  const scene = (Object.hasOwn(scenes, of) && scenes[of]) || hills;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="xMidYMid slice">${scene(drawing)}</svg>`;
}
