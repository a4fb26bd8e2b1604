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
