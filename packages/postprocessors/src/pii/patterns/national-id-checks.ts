/**
 * @module
 * The check digits and dates of national numbers, as the states define them.
 */
import { hasLuhnDigit, isEan, modulo, weighted } from './check-digits.ts'

/** Whether digits are a date: `yy`, `mm` and `dd` at these places; months may have an offset for centuries or sexes. */
const dated = (id: string, month: number, day: number, offsets: readonly number[] = [0]): boolean => {
  const [m, d] = [Number(id.slice(month, month + 2)), Number(id.slice(day, day + 2))]
  return d >= 1 && d <= 31 && offsets.some((offset) => m - offset >= 1 && m - offset <= 12)
}
const mod11 = (id: string, weights: readonly number[]): number => weighted(id.slice(0, weights.length), weights) % 11
const down = (from: number, to = 2): number[] => Array.from({ length: from - to + 1 }, (_, index) => from - index)
const isRepeated = (id: string): boolean => /^(.)\1*$/.test(id)

/** ISO 7064, MOD 11,10. */
function isMod1110(digits: string): boolean {
  let product = 10
  for (const digit of digits.slice(0, -1)) product = (((Number(digit) + product) % 10 || 10) * 2) % 11
  return (11 - product) % 10 === Number(digits.at(-1))
}

/** The Verhoeff algorithm, as permutations of the dihedral group of ten elements. */
function isVerhoeff(digits: string): boolean {
  const turn = '1576283094'
  let check = 0
  for (let place = 0; place < digits.length; place++) {
    let digit = Number(digits[digits.length - 1 - place])
    for (let times = 0; times < place % 8; times++) digit = Number(turn[digit])
    const isFlipped = check >= 5
    const sum = isFlipped ? (check - 5 - (digit % 5) + 5) % 5 : (check + (digit % 5)) % 5
    check = sum + (isFlipped !== digit >= 5 ? 5 : 0)
  }
  return check === 0
}

/** The check letter of an Italian tax code: letters and digits have other values at odd places. */
function isCodiceFiscale(id: string): boolean {
  const odd = '1 0 5 7 9 13 15 17 19 21 2 4 18 20 11 3 6 8 12 14 16 10 22 25 24 23'.split(' ').map(Number)
  let sum = 0
  for (let place = 0; place < 15; place++) {
    const code = id.charCodeAt(place)
    const value = code >= 65 ? code - 65 : code - 48
    sum += place % 2 === 0 ? odd[value]! : value
  }
  return String.fromCharCode(65 + (sum % 26)) === id[15]
}

const twoChecks = (id: string, first: readonly number[], second: readonly number[]): boolean => {
  const digit = (sum: number) => ((11 - (sum % 11)) % 11) % 10
  return (
    digit(weighted(id.slice(0, first.length), first)) === Number(id[first.length]) &&
    digit(weighted(id.slice(0, second.length), second)) === Number(id[second.length])
  )
}

function isNir(id: string): boolean {
  const number = id.slice(0, 13).replace('2A', '19').replace('2B', '18')
  return /^[1278]\d\d(?:0[1-9]|1[0-2]|[2-9]\d)/.test(id) && 97 - modulo(number, 97) === Number(id.slice(13))
}

const chinese = (id: string): boolean =>
  dated(id, 10, 12) &&
  /^(?:19|20)/.test(id.slice(6)) &&
  (weighted(id.slice(0, 17), [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) +
    (id[17] === 'X' ? 10 : Number(id[17]))) %
    11 ===
    1

const curp = (id: string): boolean => {
  const signs = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ'
  const sum = [...id.slice(0, 17)].reduce((total, sign, place) => total + signs.indexOf(sign) * (18 - place), 0)
  return (10 - (sum % 10)) % 10 === Number(id[17])
}

const baltic = (id: string): boolean => {
  const first = weighted(id.slice(0, 10), [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11
  const check = first < 10 ? first : (weighted(id.slice(0, 10), [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11) % 10
  return dated(id, 3, 5) && check === Number(id[10])
}

const nric = (id: string): boolean => {
  const sum = weighted(id.slice(1, 8), [2, 7, 6, 5, 4, 3, 2]) + (/[TG]/.test(id[0]!) ? 4 : id[0] === 'M' ? 3 : 0)
  const letters = /[ST]/.test(id[0]!) ? 'JZIHGFEDCBA' : id[0] === 'M' ? 'XWUTRQPNJLK' : 'XWUTRQPNMLK'
  return letters[sum % 11] === id[8]
}

const hongKong = (id: string): boolean => {
  const value = (sign: string) => (sign === ' ' ? 36 : Number.parseInt(sign, 36))
  const full = id.padStart(9, ' ')
  const sum = [...full].reduce((total, sign, place) => total + value(sign) * (9 - place), 0)
  return sum % 11 === 0
}

const taiwan = (id: string): boolean => {
  const letter = 'ABCDEFGHJKLMNPQRSTUVXYWZIO'.indexOf(id[0]!) + 10
  return weighted(`${letter}${id.slice(1)}`, [1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1]) % 10 === 0
}

const rut = (id: string): boolean => {
  const sum = weighted([...id.slice(0, -1)].reverse().join(''), [2, 3, 4, 5, 6, 7])
  return '0K987654321'[sum % 11] === id.at(-1)
}

const spanish = (id: string): boolean => {
  const digits = id.slice(0, -1).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)))
  return 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(digits) % 23] === id.at(-1)
}

const snils = (id: string): boolean => (weighted(id.slice(0, 9), down(9, 1)) % 101) % 100 === Number(id.slice(9))
const innOf12 = (id: string): boolean =>
  mod11(id, [7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) % 10 === Number(id[10]) &&
  mod11(id, [3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) % 10 === Number(id[11])

/** The cross sum of each product counts, and the letter as two digits. */
function isPensionNumber(id: string): boolean {
  const weights = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1]
  const digits = id.replace(/[A-Z]/, (letter) => String(letter.charCodeAt(0) - 64).padStart(2, '0'))
  const sum = weights.reduce((total, weight, place) => {
    const product = Number(digits[place]) * weight
    return total + (product % 10) + Math.floor(product / 10)
  }, 0)
  return dated(id, 4, 2) && sum % 10 === Number(digits[12])
}

/** Whether the digits and letters of a number, without separators, are valid: by region and name. */
export const nationalIdChecks: Readonly<Record<string, (id: string) => boolean>> = {
  'AE Emirates ID': (n) => hasLuhnDigit(n),
  'AR CUIL': (n) => (11 - mod11(n, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2])) % 11 === Number(n[10]),
  'AT SVNR': (n) =>
    (weighted(n.slice(0, 3), [3, 7, 9]) + weighted(n.slice(4), [5, 8, 4, 2, 1, 6])) % 11 === Number(n[3]),
  'AU TFN': (n) => mod11(n, [1, 4, 3, 7, 5, 8, 6, 9, 10]) === 0,
  'AU Medicare': (n) => weighted(n.slice(0, 8), [1, 3, 7, 9]) % 10 === Number(n[8]),
  'BE Rijksregister': (n) =>
    dated(n, 2, 4, [0, 20, 40]) &&
    [n, `2${n}`].some((full) => 97 - modulo(full.slice(0, -2), 97) === Number(n.slice(9))),
  'BG EGN': (n) => dated(n, 2, 4, [0, 20, 40]) && mod11(n, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 10 === Number(n[9]),
  'BR CPF': (n) => !isRepeated(n) && twoChecks(n, down(10), down(11)),
  'CA SIN': (n) => hasLuhnDigit(n),
  'CH AHV': (n) => isEan(n),
  'CL RUT': rut,
  'CN Resident ID': chinese,
  'CZ Rodné číslo': (n) => dated(n, 2, 4, [0, 20, 50, 70]) && modulo(n, 11) === 0,
  'DE Steuer-ID': (n) => n[0] !== '0' && isMod1110(n),
  'DE Rentenversicherung': isPensionNumber,
  'DK CPR': (n) => dated(n, 2, 0),
  'EE Isikukood': baltic,
  'ES DNI': spanish,
  'ES NIE': spanish,
  'FI Hetu': (n) =>
    dated(n, 2, 0) && '0123456789ABCDEFHJKLMNPRSTUVWXY'[Number(n.replace(/[^\d]/g, '').slice(0, 9)) % 31] === n.at(-1),
  'FR NIR': isNir,
  'GB NHS number': (n) => (11 - mod11(n, down(10))) % 11 === Number(n[9]),
  'GR AMKA': (n) => dated(n, 2, 0) && hasLuhnDigit(n),
  'HK HKID': hongKong,
  'HR OIB': isMod1110,
  'ID NIK': (n) => dated(n, 8, 6) || dated(String(BigInt(n) - 40n * 10n ** 8n).padStart(16, '0'), 8, 6),
  'IE PPS': (n) =>
    'WABCDEFGHIJKLMNOPQRSTUV'[
      (weighted(n.slice(0, 7), down(8)) + (n[8] && n[8] !== 'W' ? 9 * (n.charCodeAt(8) - 64) : 0)) % 23
    ] === n[7],
  'IL Teudat Zehut': (n) => hasLuhnDigit(n),
  'IN Aadhaar': isVerhoeff,
  'IS Kennitala': (n) => dated(n, 2, 0) && (11 - mod11(n, [3, 2, 7, 6, 5, 4, 3, 2])) % 11 === Number(n[8]),
  'IT Codice fiscale': isCodiceFiscale,
  'JP My Number': (n) => {
    const rest = mod11(n, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2])
    return (rest <= 1 ? 0 : 11 - rest) === Number(n[11])
  },
  'KR RRN': (n) => dated(n, 2, 4),
  'KZ IIN': (n) =>
    dated(n, 2, 4) &&
    [mod11(n, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]), mod11(n, [3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2])].includes(
      Number(n[11]),
    ),
  'LT Asmens kodas': baltic,
  'LV Personas kods': (n) => /^3[2-9]/.test(n) || dated(n, 2, 0),
  'MX CURP': curp,
  'MY MyKad': (n) => dated(n, 2, 4),
  'NL BSN': (n) => weighted(n.padStart(9, '0'), [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0,
  'NO Fødselsnummer': (n) =>
    dated(n, 2, 0) && twoChecks(n, [3, 7, 6, 1, 8, 9, 4, 5, 2], [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]),
  'NZ IRD': (n) =>
    [
      [3, 2, 7, 6, 5, 4, 3, 2],
      [7, 4, 3, 2, 5, 2, 7, 6],
    ].some((weights) => (11 - mod11(n.padStart(9, '0'), weights)) % 11 === Number(n.at(-1))),
  'PL PESEL': (n) => dated(n, 2, 4, [0, 20, 40, 60, 80]) && weighted(n, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0,
  'PT NIF': (n) => {
    const rest = mod11(n, down(9))
    return (rest < 2 ? 0 : 11 - rest) === Number(n[8])
  },
  'RO CNP': (n) =>
    dated(n, 3, 5) &&
    [mod11(n, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9])].some((rest) => (rest === 10 ? 1 : rest) === Number(n[12])),
  'RS JMBG': (n) => dated(n, 2, 0) && (11 - mod11(n, [7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2])) % 11 === Number(n[12]),
  'RU SNILS': snils,
  'RU INN': innOf12,
  'SE Personnummer': (n) => dated(n.slice(-10), 2, 4) && hasLuhnDigit(n.slice(-10)),
  'SG NRIC': nric,
  'TH National ID': (n) => (11 - mod11(n, down(13))) % 10 === Number(n[12]),
  'TR TC Kimlik': (n) => [...n.slice(0, 10)].reduce((sum, digit) => sum + Number(digit), 0) % 10 === Number(n[10]),
  'TW National ID': taiwan,
  'UA RNOKPP': (n) => (weighted(n.slice(0, 9), [-1, 5, 7, 9, 4, 6, 10, 5, 7]) % 11) % 10 === Number(n[9]),
  'ZA ID number': (n) => dated(n, 2, 4) && hasLuhnDigit(n),
}
