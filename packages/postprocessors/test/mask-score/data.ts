/**
 * @module
 * Generated personal data with valid check digits, and generated harmless text, from a fixed seed.
 */

let seed = 7
const random = (): number => {
  seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff
  return seed / 0x7fffffff
}
const below = (limit: number): number => Math.floor(random() * limit)
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
const digits = (count: number): string => times(count, () => below(10)).join('')
const price = (limit: number, places: number): string => (random() * limit).toFixed(places)
const hex = (count: number): string => times(count, () => below(16).toString(16)).join('')
const pick = <T>(list: readonly T[]): T => list[below(list.length)]!

function withLuhn(body: string): string {
  for (let last = 0; ; last++) {
    const sum = [...`${body}${last}`].reverse().reduce((total, digit, place) => {
      const value = Number(digit) * (place % 2 === 0 ? 1 : 2)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
    if (sum % 10 === 0) return `${body}${last}`
  }
}

const grouped = (text: string, sizes: readonly number[], separator: string): string => {
  let at = 0
  return sizes.map((size) => text.slice(at, (at += size))).join(separator)
}

/** A card of a scheme, as a run of digits or in the groups that are printed on it. */
export function card(): string {
  const separator = pick(['', ' ', '-'])
  const [start, length, sizes] = pick<[string, number, number[]]>([
    ['4', 16, [4, 4, 4, 4]],
    [`5${1 + below(5)}`, 16, [4, 4, 4, 4]],
    ['2223', 16, [4, 4, 4, 4]],
    ['6011', 16, [4, 4, 4, 4]],
    ['3530', 16, [4, 4, 4, 4]],
    ['37', 15, [4, 6, 5]],
    ['36', 14, [4, 6, 4]],
    ['62', 19, [4, 4, 4, 4, 3]],
  ])
  return grouped(withLuhn(start + digits(length - start.length - 1)), sizes, separator)
}

/** An IBAN of a country whose accounts have digits alone. */
export function iban(): string {
  const [country, length] = pick<[string, number]>([
    ['DE', 22],
    ['AT', 20],
    ['BE', 16],
    ['ES', 24],
    ['PL', 28],
    ['SE', 24],
    ['DK', 18],
    ['PT', 25],
  ])
  const account = digits(length - 4)
  const value = [...`${account}${country}00`].map((sign) => Number.parseInt(sign, 36)).join('')
  const compact = `${country}${String(98n - (BigInt(value) % 97n)).padStart(2, '0')}${account}`
  return below(2) === 0 ? compact : compact.replace(/.{4}(?=.)/g, '$& ')
}

const csv = (sign: string, header: string, rows: readonly (readonly (number | string)[])[]): string =>
  [header.replaceAll(',', sign), ...rows.map((row) => row.join(sign))].join('\n')
const columns = (header: string, rows: readonly (readonly (number | string)[])[]): string =>
  [header.split(','), ...rows]
    .map((row) =>
      row
        .map((cell) => `${cell}`.padEnd(20))
        .join('')
        .trimEnd(),
    )
    .join('\n')

const names = ['ann', 'bob.lee', 'o.meyer', 'juergen', 'maria_s', 'li.wei', 'k-tanaka']
export const email = (): string =>
  `${pick(names)}${below(100)}@${pick(['mail.example', 'example'])}.${pick(['org', 'com', 'de', 'co.uk'])}`
export const ip = (): string =>
  below(2) === 0
    ? times(4, () => 1 + below(254)).join('.')
    : `2001:db8:${times(6, () => (1 + below(0xfffe)).toString(16)).join(':')}`
export const date = (): string => {
  const [day, month, year] = [1 + below(28), 1 + below(12), 1930 + below(80)]
  return pick([
    `${day}.${month}.${year}`,
    `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`,
    `${day}/${month}/${year}`,
  ])
}
export const mac = (): string => grouped(`${hex(11)}a`, [2, 2, 2, 2, 2, 2], pick([':', '-']))
export const wallet = (): string => `0x${hex(39)}a`
export const key = (): string => {
  const word = (count: number) =>
    times(count, (place) =>
      pick(place % 5 === 4 ? [...'0123456789'] : [...'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ']),
    ).join('')
  return pick([
    `sk-proj-${word(40)}`,
    `ghp_${word(36)}`,
    `AKIA${word(16).toUpperCase()}`,
    `xoxb-${digits(12)}-${word(24)}`,
    `AIza${word(35)}`,
    `glpat-${word(20)}`,
  ])
}

/** National ids by region, with what calls them by name. */
export const nationalIds: Readonly<Record<string, () => string>> = {
  US: () => `SSN ${100 + below(560)}-${10 + below(89)}-${1000 + below(8999)}`,
  FR: () => {
    const body = `${1 + below(2)}${10 + below(89)}0${1 + below(9)}${10 + below(80)}${100 + below(899)}${100 + below(899)}`
    return `NIR ${body}${String(97n - (BigInt(body) % 97n)).padStart(2, '0')}`
  },
  BR: () => {
    let body = digits(9)
    for (const most of [10, 11]) {
      const sum = [...body].reduce((total, digit, place) => total + Number(digit) * (most - place), 0)
      body += String(((11 - (sum % 11)) % 11) % 10)
    }
    return `CPF ${body.slice(0, 3)}.${body.slice(3, 6)}.${body.slice(6, 9)}-${body.slice(9)}`
  },
  NL: () => {
    for (;;) {
      const body = `${1 + below(9)}${digits(8)}`
      if ([...body].reduce((sum, digit, place) => sum + Number(digit) * (place === 8 ? -1 : 9 - place), 0) % 11 === 0)
        return `BSN ${body}`
    }
  },
  PL: () => {
    const body = `${10 + below(89)}0${1 + below(9)}${10 + below(18)}${digits(4)}`
    const sum = [...body].reduce((total, digit, place) => total + Number(digit) * [1, 3, 7, 9][place % 4]!, 0)
    return `PESEL ${body}${(10 - (sum % 10)) % 10}`
  },
  ES: () => {
    const number = 10_000_000 + below(89_999_999)
    return `DNI ${number}${'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23]}`
  },
  GB: () => `National Insurance number ${pick(['AB', 'CE', 'JK', 'PR'])}${digits(6)}${pick(['A', 'B', 'C', 'D'])}`,
  CA: () => `SIN ${grouped(withLuhn(`${1 + below(7)}${digits(7)}`), [3, 3, 3], ' ')}`,
  SE: () =>
    `personnummer ${withLuhn(`${10 + below(89)}0${1 + below(9)}${10 + below(18)}${digits(3)}`).replace(/.{4}$/, '-$&')}`,
}

/** Harmless text by kind. */
export const harmless: Readonly<Record<string, () => string>> = {
  'six prices with blanks': () => times(6, () => price(1000, 2)).join(' '),
  'six prices with tabs': () => times(6, () => price(1000, 2)).join('\t'),
  'six prices in a Markdown row': () => `| ${times(6, () => price(1000, 2)).join(' | ')} |`,
  'amounts with thousands': () => times(4, () => `${1 + below(999)}.${100 + below(899)},${10 + below(89)}`).join(' '),
  'five versions': () => times(5, () => `${below(3)}.${below(30)}.${below(30)}`).join(' '),
  'versions of four parts': () => `version ${below(9)}.${below(9)}.${below(99)}.${below(99)}`,
  'six integers': () => times(6, () => below(10000)).join(' '),
  'a column of integers': () => times(6, () => below(100000)).join('\n'),
  'six years': () => times(6, () => 1990 + below(35)).join(' '),
  'dates and times': () =>
    times(
      3,
      () =>
        `20${10 + below(15)}-${10 + below(2)}-${10 + below(18)} ${10 + below(13)}:${10 + below(49)}:${10 + below(49)}`,
    ).join(' '),
  'dotted dates': () => times(3, () => `${10 + below(18)}.${10 + below(2)}.20${10 + below(15)}`).join(' '),
  coordinates: () => `${price(90, 6)} ${price(180, 6)}`,
  'a path of a graphic': () => `M${times(12, () => price(100, 3)).join(' ')}`,
  'a vector': () => times(8, () => (random() - 0.5).toFixed(4)).join(' '),
  'a time in milliseconds': () => String(1.6e12 + below(2e11)),
  'an order number of 12 digits': () => `order ${digits(12)}`,
  'an order number of 16 digits': () => `Order number: ${digits(16)}`,
  'a number in groups behind “ID”': () => `ID ${200 + below(799)}-${200 + below(799)}-${digits(4)}`,
  'a table of integers': () => times(4, () => times(4, () => digits(4)).join(' ')).join('\n'),
  'a price behind “phone”': () => `phone ${price(1000, 2)} EUR`,
  'an id of 18 digits': () => `1${digits(17)}`,
  'a hash': () => hex(pick([32, 40, 64])),
  'a UUID': () => [8, 4, 4, 4, 12].map(hex).join('-'),
  'an ISBN': () => `978-${below(10)}-${10000 + below(89999)}-${100 + below(899)}-${below(10)}`,
  'an invoice number': () => `INV-${times(4, () => 1000 + below(8999)).join('-')}`,
  'bytes of a file': () => times(16, () => hex(2)).join(' '),
  'a line of a log': () => `[${1 + below(99999)}] GET /a/${digits(10)} 200 ${below(9999)} ${price(10, 3)}ms`,
  'sizes and weights': () => times(4, () => `${below(1000)} x ${below(1000)} mm, ${price(100, 1)} kg`).join('; '),
  'a table of visits by device': () =>
    `| month | mobile | desktop | phones |\n|---|---|---|---|\n${times(3, (index) => `| ${index + 1} | ${below(200000)} | ${below(900000)} | ${below(90000)} |`).join('\n')}`,
  'a table of orders': () =>
    `| order number | price | pieces |\n|---|---:|---|\n${times(3, () => `| ${digits(16)} | ${price(1000, 2)} | ${below(100000)} |`).join('\n')}`,
  'a table of versions': () =>
    `| version | build | size |\n|---|---|---|\n${times(3, () => `| ${below(9)}.${below(9)}.${below(99)}.${below(99)} | ${below(99999)} | ${below(999)} kB |`).join('\n')}`,
  'visits by device in CSV': () =>
    csv(
      pick([',', ';', '\t']),
      'month,mobile,desktop,phones',
      times(3, (index) => [index + 1, below(200000), below(900000), below(90000)]),
    ),
  'orders in CSV': () =>
    csv(
      pick([',', ';', '\t']),
      'order number,mobile price,pieces',
      times(3, () => [digits(16), price(1000, 2), below(100000)]),
    ),
  'measurements in CSV': () =>
    csv(
      pick([',', ';', '\t']),
      'time,sensor id,value,cell voltage',
      times(3, () => [1.6e12 + below(2e11), digits(8), price(100, 6), price(5, 3)]),
    ),
  'orders in aligned columns': () =>
    columns(
      'ORDER ID,VERSION,SIZE',
      times(3, () => [digits(16), `${below(9)}.${below(9)}.${below(99)}.${below(99)}`, below(99999)]),
    ),
  'visits by device in aligned columns': () =>
    columns(
      'month,mobile,phones',
      times(3, (index) => [index + 1, below(200000), below(90000)]),
    ),
  'a list of files': () =>
    columns(
      'PERMISSIONS,SIZE,NAME',
      times(4, () => ['-rw-r--r--', digits(8), `mobile-${digits(10)}.log`]),
    ),
  'sentences with commas': () =>
    times(
      3,
      () => `By phone, mail, or post\n${below(900)} answers, ${price(1000, 2)} EUR, ${1990 + below(35)} in all`,
    ).join('\n'),
  'random bytes in base64': () => Buffer.from(times(48, () => below(256))).toString('base64'),
  'a hash in base64': () => `sha256-${Buffer.from(hex(64), 'hex').toString('base64')}`,
  'harmless text in base64': () =>
    Buffer.from(
      csv(
        ',',
        'order number,mobile,version',
        times(3, () => [digits(16), below(200000), `${below(9)}.${below(9)}`]),
      ),
    ).toString('base64'),
  'lists of visits by device': () =>
    `Mobile:\n\n${times(3, () => `- ${below(200000)}\n`).join('')}\n"phones": [${times(3, () => below(90000)).join(', ')}]`,
  'a list of orders': () =>
    `Order numbers:\n${times(3, () => `- ${digits(16)}\n`).join('')}orders: [${digits(12)}, ${digits(16)}]`,
  'data with nested keys': () =>
    `{"mobile": {"visits": ${below(9e6)}, "build": ${below(9e5)}}, "phone": {"price": ${price(1000, 2)}, "sizes": [${below(900)}, ${below(9000)}]}}`,
  'a list of builds below a heading': () =>
    `## On your phone\n\n${times(3, () => `- Build 2024${digits(4)}: ${below(90000)} kB\n`).join('')}`,
  'an encoded address': () =>
    `https://example.org/?q=${encodeURIComponent(`${pick(names)} ${below(10000)}, ${price(1000, 2)} + ${below(100000)} @ ${hex(8)}`)}&id=%7B${[8, 4, 4, 4, 12].map(hex).join('-')}%7D`,
  'numbers of quoted-printable': () =>
    `x=3D${digits(8)}; width=3D${below(10000)}=\n${below(100000)} =C3=BC=20${below(1000)}`,
  'escaped numbers': () => times(5, () => `${below(30)}\\. ${price(1000, 2)} \\- ${below(10000)}`).join(' '),
  'numbers across lines': () =>
    times(
      3,
      () =>
        `We sold ${below(2000)}\n${below(100000)} pieces, ${digits(3)} in ${1990 + below(35)}\n${digits(2)} ${digits(4)} and 0${digits(2)}\n${price(1000, 2)} EUR`,
    ).join('. '),
}
