import { checkGiven } from '@x/core/options'

/** Returns bytes in base64. */
export function toBase64(bytes: Uint8Array): string {
  checkGiven('toBase64', { bytes }, 'bytes', Symbol.iterator)
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/** Returns the bytes of a string in base64. @throws {DOMException} if it is not base64. */
export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

/** The contents of a data URL. */
export interface DataUrl {
  /** The media type, such as `image/png`; empty if the URL contains none. */
  mediaType: string
  /** The data as written in the URL, usually base64. */
  data: string
}

/**
 * Returns the contents of a data URL, or null for other addresses.
 * @example
 * readDataUrl('data:image/png;base64,AAAA') // => { mediaType: 'image/png', data: 'AAAA' }
 */
export function readDataUrl(url: string): DataUrl | null {
  const comma = url.indexOf(',')
  if (!url.startsWith('data:') || comma < 0) return null
  const [mediaType = ''] = url.slice('data:'.length, comma).split(';')
  return { mediaType, data: url.slice(comma + 1) }
}
