/** A new random UUID (version 4). */
export function newId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  // Browsers offer randomUUID in secure contexts only.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return Array.from(
    bytes,
    (byte, index) => `${[4, 6, 8, 10].includes(index) ? '-' : ''}${byte.toString(16).padStart(2, '0')}`,
  ).join('')
}

const DIGITS = '0123456789abcdef'

/**
 * Gives UUIDs of version 4 of which sixteen in a row differ only in their last digit: cheaper than random ones, for what is
 * told apart by its id and not guarded by it.
 */
export function idSeries(): () => string {
  let start = ''
  let count = DIGITS.length
  return () => {
    if (count === DIGITS.length) {
      start = newId().slice(0, -1)
      count = 0
    }
    return start + DIGITS[count++]
  }
}
