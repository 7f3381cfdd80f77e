/** Parts of the banners in the tests. Parts that must disappear are red, and backdrops are half black. */
export const red = '#ff0000';
export const bottom = `position:fixed; left:0; right:0; bottom:0; height:180px; z-index:2147483645; background:${red}`;
export const center = `position:fixed; left:100px; top:100px; width:600px; height:400px; z-index:2147483645; background:${red}`;
export const dark = 'position:fixed; inset:0; z-index:2147483644; background:rgba(0,0,0,.5)';
export const text = 'We use cookies to personalise content and ads, and to analyse our traffic.';

/** Writes a script that attaches a shadow root, as consent platforms do. */
export const shadow = (host: string, content: string, mode = 'open') =>
  `<script>{ const host = ${host}; host.attachShadow({ mode: '${mode}' }).innerHTML = ${JSON.stringify(content)}; }</script>`;
