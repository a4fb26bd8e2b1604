import { lazy } from '@x/core/values'
import { isBase58, isBech32 } from './address-checks.ts'
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
