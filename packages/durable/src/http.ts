/**
 * @module
 * HTTP requests and responses: the user of a request, its text within a limit, the images and files that a sender passes to an agent, and
 * lines as they come.
 */

import { checkGiven, checkOption, list, required } from '@x/core/options'
import { ModelValidationError } from '@x/core-model'
import { streamOf } from '@x/core-model/async'

/** What a missing user becomes by accident, so that all visitors would be one user. */
const ACCIDENTS = ['undefined', 'null', 'NaN', '[object Object]']

/** What is expected of a user, for refusals. */
export const A_USER = 'the id of a user, not blank and not "undefined"'

/** Whether a value can be a user: a string that is not blank, and that no missing value was converted to. */
export function isUser(user: unknown): user is string {
  return typeof user === 'string' && user.trim() !== '' && !ACCIDENTS.includes(user.trim())
}

/**
 * Returns the refusal of a handler around another one. Clients find the code where refusals of tasks have it, and where those of chats have
 * it.
 */
export function refusal(status: number, error: { code: string; message: string }, headers?: Record<string, string>) {
  return Response.json({ ...error, error }, { status, ...(headers && { headers }) })
}

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

/** Proxies end a connection on which nothing comes for some time, often a minute. */
const COMMENT_MS = 15_000

/** Adds a comment between lines again and again, which clients of server-sent events skip. */
function withComments(): TransformStream<string, string> {
  let timer: ReturnType<typeof setInterval> | undefined
  return new TransformStream({
    start: (controller) => {
      timer = setInterval(() => {
        try {
          controller.enqueue(':\n')
        } catch {
          // The reader has left.
          clearInterval(timer)
        }
      }, COMMENT_MS)
      // A stream that nobody reads to its end does not keep the process.
      ;(timer as { unref?(): void }).unref?.()
    },
    flush: () => clearInterval(timer),
  })
}

/**
 * Returns lines as an HTTP response, each as soon as it is there. Leaving it ends `lines`. Server-sent events have a comment every 15
 * seconds.
 * @param headers - in addition to those against caches and buffers, and in place of the content type of server-sent events
 * @example
 * async function* lines() {
 *   yield 'data: 1\n\n'
 * }
 * await linesResponse(lines()).text() // => 'data: 1\n\n'
 */
export function linesResponse(lines: AsyncIterable<string>, headers?: Readonly<Record<string, string>>): Response {
  checkGiven('linesResponse', { lines }, 'an iterable of lines', Symbol.asyncIterator)
  const all = new Headers({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    // Proxies must not delay the lines.
    'x-accel-buffering': 'no',
    ...headers,
  })
  const isStream = all.get('content-type')?.startsWith('text/event-stream')
  const body = streamOf(lines)
  const sent = isStream ? body.pipeThrough(withComments()) : body
  return new Response(sent.pipeThrough(new TextEncoderStream()), { headers: all })
}

/** An image or a file of a submitted input. */
export interface SubmittedFile {
  /** Its address, or a data URL with its content. */
  readonly url: string
  /** The media type, such as `application/pdf`; `image/*` for an image at another address. */
  readonly mediaType: string
  readonly filename?: string | undefined
}

/** Decides whether an image or a file of a sender may be used. The provider of the model may read its address. */
export type AllowFile = (file: SubmittedFile) => boolean

/** Whether a file is a data URL or at a public address by `https:`. What a name resolves to is not known here. */
const isPublic: AllowFile = ({ url }) =>
  /^data:/i.test(url) || (/^https:/i.test(url) && URL.canParse(url) && isPublicHost(new URL(url)))

function isPublicHost({ hostname }: URL): boolean {
  // The parser has written addresses of any notation as four numbers, or as groups in brackets.
  if (hostname.startsWith('['))
    return /^\[[23]/.test(hostname) && !/^\[(?:2001:(?::|0:|db8:)|2002:|[23].{0,2}:)/.test(hostname)
  const name = hostname.replace(/\.$/, '')
  const [a = 0, b = 0, c = 0] = name.split('.').map(Number)
  if (/^\d+\.\d+\.\d+\.\d+$/.test(name))
    return !(
      [0, 10, 127].includes(a) ||
      a >= 224 ||
      (a === 100 && b >= 64 && b < 128) ||
      (a === 169 && b === 254) ||
      (a === 172 && b >= 16 && b < 32) ||
      (a === 192 && (b === 168 || (b === 0 && (c === 0 || c === 2)))) ||
      (a === 198 && (b === 18 || b === 19))
    )
  return name.includes('.') && !/\.(?:localhost|local|internal|arpa)$/.test(name)
}

/**
 * Checks the images and files in the content of a message. Parts of a different form are refused by the agent.
 * @param where - the name of the content, for the message.
 * @param isAllowed - @defaultValue `data:` addresses, and `https:` ones of public hosts: no private, loopback or link-local addresses, no
 *   names of one label, no `.localhost`, `.local`, `.internal` and `.arpa`. A public name may still resolve to a private address.
 * @throws {ModelValidationError} naming the part whose file is not allowed.
 * @example
 * checkFiles('input', [{ type: 'file', file: { url: 'file:///etc/passwd', media_type: 'text/plain' } }]) // => throws model_validation
 */
export function checkFiles(where: string, content: string | readonly unknown[], isAllowed: AllowFile = isPublic): void {
  if (typeof content === 'string') return
  checkGiven('checkFiles', { content }, list)
  for (const [index, part] of content.entries()) {
    const { image_url: image, file } = Object(part) as { image_url?: unknown; file?: unknown }
    for (const given of [image, file]) {
      const { url, media_type: type, filename } = Object(given) as Record<string, string | undefined>
      if (typeof url !== 'string') continue
      const mediaType = type ?? /^data:([^;,]+)/i.exec(url)?.[1] ?? 'image/*'
      if (isAllowed({ url, mediaType, filename })) continue
      const shown = url.length > 100 ? `${url.slice(0, 100)}…` : url
      const message = `the address of a file is not allowed: "${shown}"`
      throw new ModelValidationError(where, [{ path: `[${index}]`, message, code: 'format' }])
    }
  }
}
