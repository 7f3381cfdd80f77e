/**
 * Returns the CSP nonce of this page, which every style element needs. Mantine takes it from a function; the scroll lock of
 * dialogs takes it from Webpack's global variable.
 */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

export function shareStyleNonce(): void {
  Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
}
