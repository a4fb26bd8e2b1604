/**
 * @module
 * The body of a request, within a limit.
 */
import { checkOption, required } from '@x/core/options'

/** Returns the body of a request as text; null if it has more bytes, without reading more of them than that. */
export async function requestText(request: Request, maxBytes: number): Promise<string | null> {
  checkOption('requestText', 'request', request, required('a request', 'headers'))
  // A body that says so is not even opened, so that a server of Node can still respond.
  if (Number(request.headers.get('content-length')) > maxBytes) return null
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
