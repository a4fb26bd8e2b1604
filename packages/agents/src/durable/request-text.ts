/**
 * @module
 * The body of a request, within a limit.
 */

/** Returns the body of a request as text; null if it has more bytes, without reading them. */
export async function requestText(request: Request, maxBytes: number): Promise<string | null> {
  const decoder = new TextDecoder()
  const reader = request.body?.getReader()
  let text = ''
  let count = 0
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    count += next.value.length
    if (count > maxBytes) {
      reader?.cancel().catch(() => {})
      return null
    }
    text += decoder.decode(next.value, { stream: true })
  }
  return text + decoder.decode()
}
