declare global {
  var __webpack_nonce__: string | undefined
}

const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? ''
// What locks the page's scrolling behind a dialog takes its nonce from there.
globalThis.__webpack_nonce__ = nonce

/** The page's policy allows style tags with this nonce alone. */
export const readNonce = () => nonce
