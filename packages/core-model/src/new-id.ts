/** Returns a new random UUID (version 4). */
export function newId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  // Browsers offer randomUUID in secure contexts only.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return Array.from(bytes, (byte, index) => ([4, 6, 8, 10].includes(index) ? '-' : '') + hexOf(byte)).join('')
}

/**
 * Returns a function that makes UUIDs of version 4, of which 256 in a row differ only in their last two digits. Cheaper than random
 * UUIDs. Use them for identity, never as secrets.
 */
export function idSeries(): () => string {
  let start = ''
  let count = 256
  return () => {
    if (count === 256) {
      start = newId().slice(0, -2)
      count = 0
    }
    return start + hexOf(count++)
  }
}

const hexBytes: string[] = []

function hexOf(byte: number): string {
  return (hexBytes[byte] ??= byte.toString(16).padStart(2, '0'))
}
