/** Returns a new random UUID (version 4). */
export function newId(): string {
  // Browsers offer randomUUID in secure contexts only.
  return typeof crypto.randomUUID === 'function'
    ? crypto.randomUUID()
    : uuidOf(crypto.getRandomValues(new Uint8Array(16)))
}

/** Returns sixteen random bytes, which it changes, as a UUID of version 4. */
export function uuidOf(bytes: Uint8Array): string {
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return Array.from(bytes, (byte, index) => ([4, 6, 8, 10].includes(index) ? '-' : '') + hexOf(byte)).join('')
}

/**
 * Returns a function that creates UUIDs of version 4 faster than random ones: runs of 256 ids differ only in their last two digits. Use
 * them for identity, never as secrets.
 * @param random - creates a random UUID for 256 ids.
 */
export function idSeries(random: () => string = newId): () => string {
  let start = ''
  let count = 256
  return () => {
    if (count === 256) {
      start = random().slice(0, -2)
      count = 0
    }
    return start + hexOf(count++)
  }
}

const hexBytes: string[] = []

function hexOf(byte: number): string {
  return (hexBytes[byte] ??= byte.toString(16).padStart(2, '0'))
}
