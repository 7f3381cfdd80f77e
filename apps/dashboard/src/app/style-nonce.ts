/**
 * The nonce of this page, which every style element must bear. Two libraries ask for it in two ways: Mantine by a
 * function, the one that holds the page still behind a dialog by a name that Webpack has made usual.
 */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

export function shareStyleNonce(): void {
  Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
}
