/**
 * @module
 * The images and files that a sender passes to an agent.
 */
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

const isDataOrHttps: AllowFile = ({ url }) => /^(?:data|https):/i.test(url)

/**
 * Checks the images and files in the content of a message. Parts of a different form are refused by the agent.
 * @param where - the name of the content, for the message.
 * @param isAllowed - @defaultValue addresses that begin with `data:` or `https:`
 * @throws {ConfigurationError} naming the part whose file is not allowed.
 * @example
 * checkFiles('input', [{ type: 'file', file: { url: 'file:///etc/passwd', media_type: 'text/plain' } }]) // => throws configuration
 */
export function checkFiles(
  where: string,
  content: string | readonly unknown[],
  isAllowed: AllowFile = isDataOrHttps,
): void {
  if (typeof content === 'string') return
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
