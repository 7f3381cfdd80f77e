/**
 * The style sheet of a card of 1200 × 630 pixels. `fitCard` adds the classes: `has-image` with `inset` (the usual aspect
 * ratio), `beside` (square or portrait) or `banner` (very wide), and `has-icon` when the icon has loaded.
 */
export const cardStyle = `
  * { box-sizing: border-box; margin: 0; padding: 0 }
  html { color-scheme: only light; background: var(--background) }
  body { width: 1200px; height: 630px; overflow: hidden }
  .card {
    position: relative; display: flex; width: 1200px; height: 630px; overflow: hidden;
    background: var(--background); color: var(--text);
    font-family: Inter, 'Helvetica Neue', 'Liberation Sans', Arial, 'Noto Sans', 'Noto Sans CJK SC', 'Noto Sans Arabic',
      'Noto Sans Hebrew', 'DejaVu Sans', 'Droid Sans Fallback', sans-serif, 'Noto Color Emoji';
  }
  .card::before {
    content: ''; position: absolute; inset-block: 0; inset-inline-start: 0; width: 14px; background: var(--accent);
  }
  .card:not(.has-image)::after {
    content: ''; position: absolute; inset-block-start: -300px; inset-inline-end: -260px; width: 760px; height: 760px;
    border-radius: 50%; background: radial-gradient(closest-side, var(--accent), transparent); opacity: 0.16;
  }
  .content {
    position: relative; z-index: 1; flex: 1; min-width: 0; min-height: 0; display: flex; flex-direction: column;
    padding-block: 60px; padding-inline: 86px 76px;
  }
  .site { display: flex; align-items: center; gap: 20px; height: 60px; flex: none }
  .icon {
    display: grid; place-items: center; flex: none; width: 60px; height: 60px; border-radius: 15px; overflow: hidden;
    background: var(--accent); color: var(--onAccent);
  }
  .icon > * { grid-area: 1 / 1 }
  .icon b { font-size: 32px; line-height: 1 }
  .icon img, .image img { visibility: hidden }
  .icon img { width: 60px; height: 60px; object-fit: contain }
  .icon img.small { width: 32px; height: 32px }
  .has-icon .icon { background: #fff; box-shadow: 0 0 0 1px var(--line) }
  .has-icon .icon b { display: none }
  .has-icon .icon img, .has-image .image img { visibility: visible }
  .name {
    min-width: 0; overflow: clip; overflow-clip-margin: 0.5em; text-overflow: ellipsis; white-space: nowrap;
    font-size: 30px; font-weight: 700; line-height: 1.3; color: var(--title);
  }
  .main {
    flex: 1; min-height: 0; overflow: hidden; display: flex; flex-direction: column; justify-content: center; gap: 24px;
    padding: 18px 20px; margin-inline: -20px;
  }
  /* \`fitCard\` leaves no line after the last one, so the margin shows only marks above and below the text. */
  .title, .text {
    display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: var(--lines); flex: none;
    overflow: clip; overflow-clip-margin: 0.5em;
    unicode-bidi: isolate; text-align: start;
  }
  .title { color: var(--title); font-weight: 700; line-height: 1.16; letter-spacing: -0.015em; text-wrap: balance }
  .title.tall, .title.taller { margin-block: 0.1em }
  .title.tall { line-height: 1.4 }
  .title.taller { line-height: 1.6 }
  .title:is(:lang(ar), :lang(fa), :lang(ur), :lang(he)) { letter-spacing: 0 }
  .title.broken, .text { overflow-wrap: anywhere }
  .text { font-size: 30px; line-height: 1.4; text-wrap: pretty }
  .text.tall { line-height: 1.5 }
  .text.taller { line-height: 1.65 }
  :lang(ja) .title { word-break: auto-phrase }
  .host { flex: none; font-size: 26px; line-height: 1.3; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; text-align: start }
  [dir='rtl'] .host { text-align: right }
  .image { display: none }
  .has-image .image { display: block; order: 1; flex: none }
  /* Transparent images usually expect a white background. */
  .has-image .image img { display: block; background: #fff }
  .has-image .text { font-size: 28px }
  .inset .content { padding-inline-end: 48px }
  .inset .image { display: flex; align-items: center; width: 536px; padding-inline-end: 56px }
  .inset .image img {
    width: 480px; max-height: 500px; object-fit: cover; border-radius: 18px;
    box-shadow: 0 0 0 1px var(--line), 0 18px 50px rgb(0 0 0 / 22%);
  }
  .beside .content { padding-inline-end: 56px }
  .beside .image img { width: 430px; height: 630px; object-fit: cover; object-position: 50% 25% }
  .card.banner { flex-direction: column }
  .banner .image { order: -1 }
  .banner .image img { width: 1200px; height: 210px; object-fit: cover }
  .banner .content { padding-block: 32px }
  .banner .main { gap: 14px }
`;
