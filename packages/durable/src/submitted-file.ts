/**
 * @module
 * The images and files that a sender passes to an agent.
 */
import { checkGiven, list } from '@x/core/options'
import { ConfigurationError } from '@x/core-model'

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
 * @throws {ConfigurationError} naming the part whose file is not allowed.
 * @example
 * checkFiles('input', [{ type: 'file', file: { url: 'file:///etc/passwd', media_type: 'text/plain' } }]) // => throws configuration
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
      throw new ConfigurationError(`${where}[${index}]: the address of a file is not allowed: "${shown}".`)
    }
  }
}
