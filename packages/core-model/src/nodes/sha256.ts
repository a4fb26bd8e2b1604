/**
 * @module
 * A synchronous SHA-256, by Node's function if it exists. The function of the web platform is asynchronous, but a node's hash is a
 * property.
 * @see https://doi.org/10.6028/NIST.FIPS.180-4
 */
import { platformModule } from '../platform-module.ts'

type HashFunction = (data: string | Uint8Array) => string

/** Returns the SHA-256 of bytes, or of a string's UTF-8 bytes, as 64 lower-case hexadecimal digits. */
export function sha256(data: string | Uint8Array): string {
  chosen ??= choose(platformModule('node:crypto'))
  return chosen(data)
}

let chosen: HashFunction | undefined

interface Crypto {
  hash?(algorithm: string, data: string | Uint8Array, encoding: string): string
}

/** Returns the function of the platform if it works. Some platforms have Node's functions by name, but do not implement them. */
export function choose(crypto: Crypto | undefined): HashFunction {
  try {
    if (crypto?.hash?.('sha256', '', 'hex') === portableSha256('')) return (data) => crypto.hash!('sha256', data, 'hex')
  } catch {
    // Not implemented on this platform.
  }
  return portableSha256
}

let constants: Uint32Array | undefined

/** Fractional parts of the cube roots of the first 64 primes, then the initial hash: those of the square roots of the first 8. */
function roundConstants(): Uint32Array {
  const found = new Uint32Array(72)
  const fraction = (value: number): number => ((value - Math.floor(value)) * 0x100000000) | 0
  for (let candidate = 2, count = 0; count < 64; candidate++) {
    let isPrime = true
    for (let divisor = 2; divisor * divisor <= candidate; divisor++) if (candidate % divisor === 0) isPrime = false
    if (!isPrime) continue
    found[count] = fraction(Math.cbrt(candidate))
    if (count < 8) found[64 + count] = fraction(Math.sqrt(candidate))
    count++
  }
  return found
}

/** `sha256` in plain JavaScript. */
export function portableSha256(data: string | Uint8Array): string {
  constants ??= roundConstants()
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data
  const blocks = (bytes.length + 72) >> 6
  const state = constants.slice(64)
  const words = new Uint32Array(64)
  const block = new Uint8Array(64)
  const view = new DataView(block.buffer)
  for (let index = 0; index < blocks; index++) {
    const start = index * 64
    block.fill(0)
    if (start < bytes.length) block.set(bytes.subarray(start, start + 64))
    if (start <= bytes.length && bytes.length < start + 64) block[bytes.length - start] = 0x80
    if (index === blocks - 1) {
      view.setUint32(56, Math.floor(bytes.length / 0x20000000))
      view.setUint32(60, bytes.length << 3)
    }
    for (let word = 0; word < 16; word++) words[word] = view.getUint32(word * 4)
    compress(state, words, constants)
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('')
}

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

type Four = [number, number, number, number]

function compress(state: Uint32Array, words: Uint32Array, k: Uint32Array): void {
  for (let index = 16; index < 64; index++) {
    const early = words[index - 15]!
    const late = words[index - 2]!
    const mixedEarly = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)
    const mixedLate = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10)
    words[index] = words[index - 16]! + mixedEarly + words[index - 7]! + mixedLate
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [...Four, ...Four]
  for (let index = 0; index < 64; index++) {
    const sumE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const first = (h + sumE + ((e & f) ^ (~e & g)) + k[index]! + words[index]!) | 0
    const sumA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const second = (sumA + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  const mixed = [a, b, c, d, e, f, g, h]
  for (let index = 0; index < 8; index++) state[index] = state[index]! + mixed[index]!
}
