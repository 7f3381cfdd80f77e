/**
 * The page that a new user captures first, designed for 1280×720 and readable at every width and on paper. It contains no
 * scripts, images or web fonts.
 */
export const samplePage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Your first capture</title>
<meta name="description" content="A sample page that your own capture platform serves and captures, without the internet.">
<style>
  :root { --ink: #12172b; --soft: #59617c; --line: #e3e6f0; --paper: #ffffff; --sea: #0b7a75; --sun: #ff8a3d; --sky: #5468ff; }
  * { box-sizing: border-box; margin: 0; }
  body {
    min-height: 100vh; display: grid; grid-template-rows: auto 1fr auto; padding: 44px 64px 40px;
    color: var(--ink); font: 17px/1.55 "Inter", "Helvetica Neue", "Liberation Sans", Arial, sans-serif;
    background:
      radial-gradient(640px 480px at 88% 12%, #ffe3cf 0, transparent 70%),
      radial-gradient(760px 560px at 70% 96%, #dbe1ff 0, transparent 72%),
      radial-gradient(560px 460px at 4% 92%, #d3f1ea 0, transparent 70%), #fbfbfe;
  }
  header { display: flex; align-items: center; gap: 12px; font-weight: 700; font-size: 18px; letter-spacing: -.01em; }
  header span { margin-left: auto; font-weight: 500; font-size: 14px; color: var(--soft); }
  main { display: grid; grid-template-columns: minmax(0, 1fr) 540px; gap: 56px; align-items: center; }
  .tag {
    display: inline-flex; align-items: center; gap: 9px; padding: 7px 15px 7px 11px; border-radius: 99px;
    background: #e2f5ef; color: #075e57; font-size: 14px; font-weight: 600;
  }
  .tag::before { content: ""; width: 9px; height: 9px; border-radius: 50%; background: #14b88a; box-shadow: 0 0 0 4px #14b88a33; }
  h1 { margin: 22px 0 18px; font-size: 62px; line-height: 1.04; letter-spacing: -.035em; font-weight: 800; }
  h1 em { font-style: normal; color: var(--sky); }
  main p { max-width: 29em; color: var(--soft); font-size: 18px; }
  code { padding: 2px 7px; border-radius: 6px; background: #eceffb; color: #2b3363; font: 15px/1.5 "Liberation Mono", Menlo, Consolas, monospace; }
  .stage { position: relative; height: 404px; }
  .window { position: absolute; overflow: hidden; border-radius: 14px; background: var(--paper); border: 1px solid var(--line); box-shadow: 0 24px 56px -18px #1b244d40, 0 4px 12px #1b244d12; }
  .bar { display: flex; align-items: center; gap: 7px; height: 38px; padding: 0 14px; border-bottom: 1px solid var(--line); background: #f7f8fd; }
  .bar i { width: 11px; height: 11px; border-radius: 50%; background: #ff6159; }
  .bar i:nth-child(2) { background: #ffbf2f; } .bar i:nth-child(3) { background: #29c941; }
  .bar b { flex: 1; margin-left: 10px; padding: 3px 12px; border-radius: 7px; background: #e9ecf6; color: var(--soft); font-size: 12px; font-weight: 500; }
  .big { inset: 0 44px 44px 0; }
  .big svg { display: block; width: 100%; height: calc(100% - 38px); }
  .small { right: 0; bottom: 0; width: 236px; padding: 16px 18px; }
  .small h2 { font-size: 13px; color: var(--soft); font-weight: 600; margin-bottom: 9px; }
  .small li { display: flex; justify-content: space-between; list-style: none; padding: 5px 0; font: 13.5px/1.5 "Liberation Mono", Menlo, Consolas, monospace; border-top: 1px solid var(--line); }
  .small ul { padding: 0; } .small li span { color: var(--sky); }
  footer { display: flex; gap: 34px; color: var(--soft); font-size: 14.5px; }
  footer div { display: flex; align-items: center; gap: 9px; }
  footer svg { flex: none; }
  @media (max-width: 1100px) {
    body { padding: 32px clamp(20px, 6vw, 64px); row-gap: 40px; }
    main { grid-template-columns: minmax(0, 540px); justify-content: center; gap: 36px; }
    h1 { font-size: clamp(38px, 9vw, 62px); }
    footer { flex-wrap: wrap; gap: 10px 34px; }
  }
  @media (max-width: 480px) {
    .stage { height: 340px; }
    .big { right: 0; }
    .small { width: 220px; }
  }
  @media print {
    body { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
    .window { box-shadow: none; break-inside: avoid; }
  }
</style>
</head>
<body>
<header>
  <svg width="34" height="34" viewBox="0 0 34 34" aria-hidden="true">
    <rect width="34" height="34" rx="10" fill="#12172b"/>
    <path d="M9 14V11a2 2 0 0 1 2-2h3M20 9h3a2 2 0 0 1 2 2v3M25 20v3a2 2 0 0 1-2 2h-3M14 25h-3a2 2 0 0 1-2-2v-3" fill="none" stroke="#fff" stroke-width="2.2" stroke-linecap="round"/>
    <circle cx="17" cy="17" r="4" fill="#ff8a3d"/>
  </svg>
  Capture platform <span>sample page</span>
</header>
<main>
  <section>
    <div class="tag">The platform is running</div>
    <h1>Your first <em>capture</em> worked.</h1>
    <p>This page was served and captured on your own machine, without the internet. Set <code>url</code> to any page and
    capture that.</p>
  </section>
  <div class="stage" aria-hidden="true">
    <div class="window big">
      <div class="bar"><i></i><i></i><i></i><b>example.com</b></div>
      <svg viewBox="0 0 496 321" preserveAspectRatio="xMidYMid slice">
        <defs>
          <linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#3d4fd6"/><stop offset=".48" stop-color="#a56fd4"/><stop offset=".8" stop-color="#ff9f72"/><stop offset="1" stop-color="#ffd09a"/></linearGradient>
          <linearGradient id="sea" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#1a5a86"/><stop offset="1" stop-color="#0c2f56"/></linearGradient>
        </defs>
        <rect width="496" height="230" fill="url(#sky)"/>
        <circle cx="318" cy="176" r="62" fill="#ffe9b8" opacity=".35"/><circle cx="318" cy="176" r="41" fill="#fff3d2"/>
        <g fill="#fff"><circle cx="62" cy="38" r="1.6"/><circle cx="118" cy="72" r="1.2"/><circle cx="176" cy="28" r="1.6"/><circle cx="246" cy="54" r="1.1"/><circle cx="402" cy="32" r="1.6"/><circle cx="452" cy="70" r="1.2"/><circle cx="352" cy="18" r="1.1"/></g>
        <path d="M0 196 74 132l44 36 62-72 84 84 46-30 72 52 54-40 60 46v40H0z" fill="#6a4fa3" opacity=".75"/>
        <path d="M0 222l58-42 66 34 52-48 74 54 66-38 80 40 52-30 48 24v28H0z" fill="#3c3a80"/>
        <rect y="226" width="496" height="95" fill="url(#sea)"/>
        <g stroke="#ffe1b0" stroke-linecap="round" stroke-width="2.4"><path d="M286 238h66" opacity=".85"/><path d="M272 250h84" opacity=".6"/><path d="M296 262h50" opacity=".5"/><path d="M280 276h70" opacity=".35"/><path d="M300 290h38" opacity=".28"/></g>
        <path d="M88 262h74l-12 16h-46z" fill="#12172b"/><path d="M124 260V206l34 48z" fill="#fff"/><path d="M120 260v-42l-24 36z" fill="#ff8a3d"/>
        <path d="M64 286h128" stroke="#fff" stroke-width="2" stroke-linecap="round" opacity=".25"/>
      </svg>
    </div>
    <div class="window small">
      <h2>Options to try next</h2>
      <ul><li>full_page <span>true</span></li><li>format <span>webp</span></li><li>device_scale_factor <span>2</span></li></ul>
    </div>
  </div>
</main>
<footer>
  <div><svg width="18" height="18" viewBox="0 0 18 18"><path d="M3 9.5 7 13.5 15 5" fill="none" stroke="#14b88a" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/></svg>Authenticated and counted</div>
  <div><svg width="18" height="18" viewBox="0 0 18 18"><path d="M3 9.5 7 13.5 15 5" fill="none" stroke="#14b88a" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/></svg>Rendered in a sandbox</div>
  <div><svg width="18" height="18" viewBox="0 0 18 18"><path d="M3 9.5 7 13.5 15 5" fill="none" stroke="#14b88a" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/></svg>Stored on your own disk</div>
</footer>
</body>
</html>
`;
