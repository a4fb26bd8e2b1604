import { lazy } from '@x/core/values'
import { sha256 } from '@x/core-model/data'
import type { PatternKind } from './pattern-kind.ts'
import type { Range } from './plain-signs.ts'

const ranges = (text: string, form: RegExp, isOne: (found: string) => boolean = () => true): Range[] =>
  [...text.matchAll(form)].flatMap(({ 0: found, index }) =>
    isOne(found) ? [{ start: index, end: index + found.length }] : [],
  )

/** Hardware addresses (MAC, EUI-64) in pairs of digits with one separator, or in the groups of four that routers print. */
export const macAddresses: PatternKind = {
  group: 'MAC',
  find: (text) =>
    ranges(
      text,
      /(?<![\w:.-])(?:[\da-f]{2}([:-])[\da-f]{2}(?:\1[\da-f]{2}){4}(?:(?:\1[\da-f]{2}){2})?|[\da-f]{4}\.[\da-f]{4}\.[\da-f]{4})(?![\w:-]|\.\w)/gi,
      // Digits alone are dates, times and versions.
      (found) => /[a-f]/i.test(found) || /^(?:\d\d:){5}\d\d$/.test(found),
    ),
}

const walletForms = /* @__PURE__ */ lazy(() => ({
  base58:
    /(?<![\w])(?:[13LM2mn][1-9A-HJ-NP-Za-km-z]{25,34}|[DXT9A][1-9A-HJ-NP-Za-km-z]{33}|r[1-9A-HJ-NP-Za-km-z]{24,34})(?!\w)/g,
  bech32: /(?<!\w)(?:bc1|tb1|ltc1|addr1)[02-9ac-hj-np-z]{8,110}(?!\w)/g,
  hex: /(?<!\w)0x[\da-f]{40}(?!\w)/gi,
}))

/** Addresses of wallets: Bitcoin and its relatives with valid checksums, Ethereum with 40 hexadecimal digits. */
export const wallets: PatternKind = {
  group: 'WALLET',
  find: (text) => {
    const { base58, bech32, hex } = walletForms()
    return [
      ...ranges(text, base58, isBase58),
      ...ranges(text, bech32, isBech32),
      ...ranges(text, hex, (found) => !/^0x(.)\1*$/i.test(found)),
    ]
  },
}

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const ripple = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz'

/** Whether an address in base 58 ends in the checksum of its 21 bytes: the first four of SHA-256 applied twice. */
function isBase58(address: string): boolean {
  const alphabet = address.startsWith('r') ? ripple : base58
  const bytes = new Uint8Array(25)
  for (const char of address) {
    let carry = alphabet.indexOf(char)
    for (let place = 24; place >= 0; place--) {
      carry += bytes[place]! * 58
      bytes[place] = carry & 0xff
      carry >>= 8
    }
    if (carry !== 0) return false
  }
  const once = sha256(bytes.subarray(0, 21))
  const digest = sha256(Uint8Array.from(once.match(/../g)!, (pair) => Number.parseInt(pair, 16)))
  return digest.startsWith(Array.from(bytes.subarray(21), (byte) => byte.toString(16).padStart(2, '0')).join(''))
}

const bech32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]

/** Whether an address has the checksum of BIP 173 or BIP 350. */
function isBech32(address: string): boolean {
  const at = address.lastIndexOf('1')
  const prefix = [...address.slice(0, at)].map((char) => char.charCodeAt(0))
  const values = [...prefix.map((code) => code >> 5), 0, ...prefix.map((code) => code & 31)]
  values.push(...[...address.slice(at + 1)].map((char) => bech32.indexOf(char)))
  let sum = 1
  for (const value of values) {
    const top = sum >>> 25
    sum = ((sum & 0x1ffffff) << 5) ^ value
    for (let bit = 0; bit < 5; bit++) if ((top >> bit) & 1) sum ^= generator[bit]!
  }
  return sum >>> 0 === 1 || sum >>> 0 === 0x2bc830a3
}
