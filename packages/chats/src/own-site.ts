/**
 * @module
 * Which requests the pages of other sites may have sent, with the cookies of the user.
 */

/**
 * Whether a request comes from a page of another origin, by the headers that browsers set. Programs that are no browsers set none.
 * @param origins - further origins whose pages may send requests, such as `https://app.example`.
 */
export function isForeign({ headers, url }: Request, origins: readonly string[] = []): boolean {
  const origin = headers.get('origin')
  if (origin !== null && origins.includes(origin)) return false
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site !== 'same-origin' && site !== 'none'
  if (origin === null) return false
  // Behind a proxy, the protocol may differ.
  return !URL.canParse(origin) || new URL(origin).host !== (headers.get('host') ?? new URL(url).host)
}
