/** The nonce that the page's content security policy asks of every style element; empty where there is no policy. */
export function cspNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
}
