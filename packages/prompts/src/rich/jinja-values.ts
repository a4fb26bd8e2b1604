/**
 * @module
 * The filters, tests, methods and functions that templates may use. Values are read; no function of a value is called.
 */
import type { ContentPart } from '@x/core-model'
import { toBase64 } from '@x/core-model/data'
import { compare, contains, isEqual, maxLength, plus, remainder, round } from './jinja-operators.ts'
import {
  blank,
  entriesOf,
  escaped,
  Float,
  floatOf,
  isDict,
  isFloat,
  isIterator,
  isNumber,
  jsonText,
  kind,
  Markup,
  type Operand,
  plain,
  refuse,
  shaped,
  shapeOf,
  strip,
  textOf,
  Undefined,
} from './python-text.ts'
import { isTrue, itemsOf } from './scope.ts'

type Named = Readonly<Record<string, unknown>>
/** Applies a filter, test, method or function of a template to a value. */
export type Callable = (value: Operand, given: Operand[], named: Named) => Operand

/**
 * Reads a table of functions by name (`escape/e`: by both; `upper!`: escaped text stays so). Behind the name are those of the arguments;
 * `*`: any. Others are refused.
 */
const callables = (table: Readonly<Record<string, Callable>>): ReadonlyMap<string, Callable> =>
  new Map(
    Object.entries(table).flatMap(([row, apply]) => {
      const [names, ...keys] = row.split(' ')
      const all = (given: Operand[], named: Named) => [
        ...given,
        ...keys.slice(given.length).map((key) => plain(named[key])),
      ]
      const isKept = names!.endsWith('!')
      const call: Callable = (marked, allGiven, named) => {
        const [value, ...given] = [marked, ...allGiven].map(plain)
        if (keys[0] === '*') return apply(value, given, named)
        const unknown = Object.keys(named).find((key) => !keys.includes(key))
        if (unknown !== undefined) refuse(` has no argument ${unknown}`)
        if (given.length > keys.length) refuse(`: expected at most ${keys.length} arguments, received ${given.length}`)
        if (apply === escaped && marked instanceof Markup) return marked
        const result = apply(value, all(given, named), named)
        return isKept && marked instanceof Markup && typeof result === 'string' ? new Markup(result) : result
      }
      return names!
        .replace('!', '')
        .split('/')
        .map((name) => [name, call] as const)
    }),
  )

/** A content part that a filter makes. */
export class Part {
  readonly part: ContentPart

  constructor(part: ContentPart) {
    this.part = part
  }

  toString(): string {
    return `<content_block>${JSON.stringify(this.part)}</content_block>`
  }
}

/** An object whose values a template may set. */
export class Namespace extends Map<string, unknown> {}

/** Returns an array that can be read once, as most filters of Jinja. */
const iterator = (items: readonly unknown[]) => shaped(items, 'iterator')
const view = (items: readonly unknown[]) => shaped(items, 'view')
const tuples = (entries: readonly unknown[][]) => entries.map((entry) => shaped(entry, 'tuple'))
/** Returns the items of something that is not read by counting or reversing it. */
const sized = (value: unknown): readonly unknown[] =>
  isIterator(value) ? refuse(': add | list before it') : itemsOf(value)

const missing = /* @__PURE__ */ new Undefined(null)

/** Returns an attribute or item of a value. Names in snake case also find properties in camel case; functions are not values. */
export function lookUp(value: Operand, key: string | number): unknown {
  if (value instanceof Map) return value.has(key) ? value.get(key) : missing
  if (value instanceof Undefined) return refuse(`: ${kind(value)} has no attributes`)
  if (value instanceof Markup) return refuse(': take items before escaping')
  if (typeof value === 'string' || Array.isArray(value)) {
    const isPlace = /number|boolean/.test(typeof key) && Number.isInteger(Number(key))
    if (!isPlace || shapeOf(value) === 'view' || isIterator(value)) return missing
    const item = itemsOf(value).at(Number(key))
    return item === undefined ? missing : item
  }
  if (typeof value !== 'object' || value === null || value instanceof Float) return missing
  const camel = String(key).replace(/(?<=[a-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  const name = [String(key), camel].find((name) => value[name] !== undefined && isOwnOrField(value, name))
  return name === undefined || typeof value[name] === 'function' ? missing : value[name]
}
const isOwnOrField = (value: object, name: string) => Object.hasOwn(value, name) || !(name in Object.prototype)

const text = (value: unknown) => textOf(value)
const lower = (value: Operand) => (typeof value === 'string' ? value.toLowerCase() : value)
const capitalize = (word: string) => {
  const [first = '', ...rest] = word
  const [upper = '', ...more] = first.toUpperCase()
  // The two letters of a digraph such as U+01C4 are one character; the next one is its form for titles.
  const title = /[\u01c4\u01c7\u01ca\u01f1]/.test(upper) ? String.fromCharCode(upper.charCodeAt(0) + 1) : upper
  return title + (more.join('') + rest.join('')).toLowerCase()
}
const isObject = (value: Operand) =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Undefined || value instanceof Float || value instanceof Markup)
const stringOf = (value: unknown): string =>
  typeof value === 'string' ? value : refuse(`: expected a string, received ${kind(value)}`)
const numberOf = (value: unknown): number =>
  isNumber(value) ? Number(value) : refuse(`: expected a number, received ${kind(value)}`)
const integerOf = (value: unknown): number =>
  Number.isSafeInteger(numberOf(value)) && !isFloat(value)
    ? Number(value)
    : refuse(`: expected a whole number, received ${kind(value)}`)
const dictOf = (value: Operand): object =>
  isObject(value) ? value : refuse(`: expected an object, received ${kind(value)}`)
/** Returns a negative number if `a` is before `b`. */
const order = (a: unknown, b: unknown): number => compare(a, b) ?? refuse(`: ${kind(a)} and ${kind(b)} have no order`)
/** Returns the value at a path such as `author.name`. */
const attribute = (value: unknown, path: unknown): unknown =>
  (path ?? null) === null ? value : partsOf(path).reduce(lookUp, value)
const partsOf = (path: unknown) =>
  text(path)
    .split('.')
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part))
/** Returns the items in the order of an attribute. */
const sorted = (value: unknown, path: unknown, isCased: unknown, sign = 1): Operand[] => {
  const caseOf = isTrue(isCased) ? (key: unknown) => key : lower
  const keyed = itemsOf(value).map((item) => [caseOf(attribute(item, path)), item] as const)
  return keyed.sort(([a], [b]) => sign * order(a, b)).map(([, item]) => item)
}
const firstOf = ([first = missing]: readonly unknown[]) => first
/** Returns the number that a value is or writes; undefined if it writes none. */
const readNumber = (value: unknown): number | bigint | undefined => {
  if (value instanceof Undefined) refuse(`: ${kind(value)} is no number`)
  if (isNumber(value)) return typeof value === 'bigint' ? value : Number(value)
  const written = strip(text(value))
  if (/\d_\d|\d{4301}|^[-+]?(?:inf(?:inity)?|nan)$|(?![0-9])\p{Nd}/iu.test(written))
    refuse(': such a number is not read')
  if (/^[-+]?\d+$/.test(written)) return BigInt(written)
  return /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i.test(written) ? Number(written) : undefined
}
/** Returns a whole number as the others are: a bigint only beyond 2^53. */
const whole = (value: bigint) => (Number.isSafeInteger(Number(value)) ? Number(value) : value)
const replaced = (value: string, from: unknown, to: unknown) =>
  value.replaceAll(text(from) || refuse(': expected a string that is not empty'), () => text(to))

const ofStrings = /* @__PURE__ */ callables({
  upper: (value) => value.toUpperCase(),
  lower,
  title: (value) => value.replace(/\p{L}+/gu, capitalize),
  capitalize,
  'strip chars': (value, [characters]) => strip(value, characters),
  'lstrip chars': (value, [characters]) => strip(value, characters, true, false),
  'rstrip chars': (value, [characters]) => strip(value, characters, false),
  'split sep': (value, [separator = null]) =>
    separator === null
      ? value.split(new RegExp(blank)).filter(Boolean)
      : value.split(stringOf(separator) || refuse(': expected a separator that is not empty')),
  'join iterable': (value, [items]) => itemsOf(items).map(stringOf).join(value),
  'replace old new': (value, [from, to]) => replaced(value, stringOf(from), stringOf(to)),
  'startswith prefix': (value, [start]) => value.startsWith(stringOf(start)),
  'endswith suffix': (value, [end]) => value.endsWith(stringOf(end)),
})
const ofObjects = /* @__PURE__ */ callables({
  items: (value) => view(tuples(entriesOf(value))),
  keys: (value) => view(entriesOf(value).map(([key]) => key)),
  values: (value) => view(entriesOf(value).map(([, item]) => item)),
  'get key default': (value, [key, standard = null]) => {
    if (value instanceof Map) return value.has(key) ? value.get(key) : standard
    return Object.hasOwn(value, key) ? value[key] : standard
  },
  'get_content metadata_mode': (value) => (typeof value.getContent === 'function' ? text(value.getContent()) : missing),
  'cycle *': (value, given) => given[value.index0 % given.length],
})

/** Calls a method of a string or object of Python. @throws {NotSupportedError} for other methods. */
export function callMethod(value: unknown, name: string, given: unknown[], named: Named): unknown {
  const method = typeof value === 'string' ? ofStrings.get(name) : isObject(value) ? ofObjects.get(name) : undefined
  const known = [...ofStrings.keys(), ...ofObjects.keys()].sort().join(', ')
  return method ? method(value, given, named) : refuse(` cannot be called on ${kind(value)}; known: ${known}`)
}

/** Returns an attribute of a value. Those with the names of methods are methods in Python. */
export function attributeOf(value: Operand, key: string): unknown {
  const methods = isDict(value) ? /^(?:items|keys|values|get|copy|pop|update|clear)$/ : null
  if (typeof plain(value) === 'string' ? ofStrings.has(key) : methods?.test(key))
    refuse(` is a method in Python; call it, or write ["${key}"]`)
  return lookUp(value, /^\d/.test(key) ? Number(key) : key)
}

/** The functions that templates may call. */
export const globals = /* @__PURE__ */ callables({
  'range *': (_, given) => {
    const [start, stop, step = 1] = (given.length === 1 ? [0, ...given] : given).map(integerOf)
    const length = Math.max(0, Math.ceil((integerOf(stop) - start!) / step))
    if (!(length <= 100_000)) refuse(`: expected at most 100000 items, received ${length}`)
    const items = Array.from({ length }, (_, index) => start! + index * step)
    return shaped(items, 'range')
  },
  'dict *': (_, given, named) => (given.length > 0 ? refuse(': expected names and values') : { ...named }),
  'namespace *': (_, given, named) =>
    given.length > 0 ? refuse(': expected names and values') : new Namespace(Object.entries(named)),
})

/** The tests behind `is`. */
export const tests = /* @__PURE__ */ callables({
  defined: (value) => !(value instanceof Undefined),
  undefined: (value) => value instanceof Undefined,
  none: (value) => value === null,
  string: (value) => typeof value === 'string',
  number: isNumber,
  boolean: (value) => typeof value === 'boolean',
  true: (value) => value === true,
  false: (value) => value === false,
  mapping: isObject,
  sequence: (value) =>
    value instanceof Undefined || Array.isArray(value)
      ? shapeOf(value) !== 'view' && !isIterator(value)
      : typeof value === 'string' || isDict(value),
  iterable: (value) =>
    typeof value === 'string' ||
    (typeof value === 'object' && value !== null && !(value instanceof Float || value instanceof Namespace)),
  even: (value) => remainder(value, 2) === 0,
  odd: (value) => remainder(value, 2) === 1,
  'divisibleby num': (value, [by]) => remainder(value, by) === 0,
  'eq/equalto other': (value, [other]) => isEqual(value, other),
  'ne other': (value, [other]) => !isEqual(value, other),
  'gt other': (value, [other]) => order(value, other) > 0,
  'ge other': (value, [other]) => order(value, other) >= 0,
  'lt other': (value, [other]) => order(value, other) < 0,
  'le other': (value, [other]) => order(value, other) <= 0,
  'in seq': (value, [all]) => contains(all, value) ?? refuse(`: ${kind(all)} contains no ${kind(value)}`),
  lower: (value) => text(value) === lower(text(value)) && text(value) !== text(value).toUpperCase(),
  upper: (value) => text(value) === text(value).toUpperCase() && text(value) !== lower(text(value)),
})

/** Keeps the items for which a test is true or, with `keep` false, those for which it is not. */
const chosen = (value: unknown, keep: boolean, [name, ...given]: Operand[], path?: unknown) => {
  const test = name === undefined ? isTrue : (tests.get(text(name)) ?? refuse(`: the test ${text(name)} is not known`))
  return itemsOf(value).filter((item) => test(attribute(item, path), given, {}) === keep)
}

/** Makes a part of an address or bytes: a file with the media type of its address: `other`, for these endings. */
const media =
  (kind: string, standardType: string, endings = '', other = `${kind}/`): Callable =>
  (value) => {
    const url = value instanceof Uint8Array ? `data:${standardType};base64,${toBase64(value)}` : text(value)
    if (!/^(?:data:[a-z]+\/.*;base64,|[a-z][a-z0-9+.-]*:\/\/[^/])/.test(url))
      refuse(': expected an address, a data URL or bytes; read files before formatting')
    if (kind === 'image') return new Part({ type: 'image_url', image_url: { url } })
    const ending = /\.(\w+)(?:[?#]|$)/.exec(url)?.[1]?.toLowerCase() ?? ''
    const ofEnding = endings.split(' ').includes(ending) ? other.replace(/\/$/, `/${ending}`) : standardType
    return new Part({ type: 'file', file: { url, media_type: /^data:([^;,]+)/.exec(url)?.[1] ?? ofEnding } })
  }

function truncate(whole: string, length: number, isKilled: boolean, end: string, leeway: number): string {
  const characters = [...whole]
  if (characters.length <= length + leeway) return whole
  const start = characters.slice(0, length - [...end].length).join('')
  const words = start.lastIndexOf(' ')
  return (isKilled || words === -1 ? start : start.slice(0, words)) + end
}

/** Returns this many spaces, as `' ' * width` of Python. */
function spaces(width: number): string {
  if (width > maxLength) refuse(`: ${width} spaces are too many`)
  return ' '.repeat(Math.max(0, width))
}

function indent(value: string, width: string | number, first: boolean, blank: boolean): string {
  const space = typeof width === 'string' ? width : spaces(width)
  const isIndented = (line: string, index: number) => (index === 0 ? first : line !== '' || blank)
  const lines = `${value}\n`.split(/\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/).slice(0, -1)
  return lines.map((line, index) => (isIndented(line, index) ? space : '') + line).join('\n')
}

/** The filters behind `|`. */
export const filters = /* @__PURE__ */ callables({
  'upper!': (value) => text(value).toUpperCase(),
  'lower!': (value) => text(value).toLowerCase(),
  'capitalize!': (value) => capitalize(text(value)),
  title: (value) => {
    const words = text(value).split(new RegExp(`((?:[-({[<]|${blank})+)`))
    return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase()).join('')
  },
  'trim! chars': (value, [characters]) => strip(text(value), characters),
  'string!': text,
  safe: (value) => new Markup(text(value)),
  'escape/e': escaped,
  'default/d! default_value boolean': (value, [other = '', boolean]) =>
    value instanceof Undefined || (isTrue(boolean) && !isTrue(value)) ? other : value,
  'length/count': (value) => sized(value).length,
  'truncate! length killwords end leeway': (value, [length = 255, isKilled, end = '...', leeway = 5]) => {
    if (text(escaped(end)) !== end) refuse(': expected an end without marks of HTML')
    return truncate(stringOf(value), integerOf(length), isTrue(isKilled), text(end), integerOf(leeway))
  },
  'indent! width first blank': (value, [width = 4, first, blank]) =>
    indent(stringOf(value), width, isTrue(first), isTrue(blank)),
  'replace old new': (value, [from, to]) => replaced(text(value), from, to),
  'int default': (value, [other = 0]) => {
    const found = readNumber(value)
    if (typeof found === 'bigint') return whole(found)
    if (isNumber(value) && Math.abs(found!) === Infinity) refuse(': infinity is no whole number')
    return Number.isFinite(found) ? whole(BigInt(Math.trunc(found!))) : other
  },
  'float default': (value, [other = floatOf(0)]) => {
    const found = readNumber(value)
    return found === undefined ? other : floatOf(Number(found))
  },
  abs: (value) => {
    if (typeof value === 'bigint') return value < 0 ? -value : value
    return isFloat(value) ? floatOf(Math.abs(Number(value))) : Math.abs(numberOf(value))
  },
  'round precision method': (value, [precision = 0, method = 'common']) => {
    const rounded = round(numberOf(value), integerOf(precision), text(method))
    if (typeof value === 'bigint') {
      if (precision < 0) refuse(': expected a number up to 2^53')
      return method === 'common' ? value : floatOf(Number(value))
    }
    return isFloat(value) || method !== 'common' ? floatOf(rounded) : rounded
  },
  list: (value) => [...itemsOf(value)],
  first: (value) => firstOf(itemsOf(value)),
  last: (value) => firstOf([...sized(value)].reverse()),
  'reverse!': (value) => {
    if (typeof value === 'string') return [...value].reverse().join('')
    return shaped([...itemsOf(value)].reverse(), shapeOf(value) === 'spent' ? undefined : 'iterator')
  },
  'join d attribute': (value, [between = '', path]) => {
    const texts = itemsOf(value).map((item) => text(attribute(item, path)))
    return texts.join(text(between))
  },
  'sum attribute start': (value, [path, start = 0]) =>
    itemsOf(value)
      .map((item) => attribute(item, path))
      .reduce((total, item) => plus(total, item) ?? refuse(`: ${kind(total)} and ${kind(item)} have no sum`), start),
  'min case_sensitive attribute': (value, [isCased, path]) => firstOf(sorted(value, path, isCased)),
  'max case_sensitive attribute': (value, [isCased, path]) => firstOf(sorted(value, path, isCased, -1)),
  'sort reverse case_sensitive attribute': (value, [reverse, isCased, path]) =>
    sorted(value, path, isCased, isTrue(reverse) ? -1 : 1),
  'unique case_sensitive attribute': (value, [isCased, path]) => {
    const known = new Set<string>()
    const keyOf = (item: unknown) => {
      const key = plain(attribute(item, path))
      if (typeof key === 'object' && key !== null && shapeOf(key) !== 'tuple')
        refuse(`: ${kind(key)} cannot be compared`)
      return text([isTrue(isCased) ? key : lower(key)])
    }
    return iterator(itemsOf(value).filter((item) => known.size < known.add(keyOf(item)).size))
  },
  items: (value) => iterator(value instanceof Undefined ? [] : tuples(entriesOf(dictOf(value)))),
  'dictsort case_sensitive by reverse': (value, [isCased, by = 'key', reverse]) =>
    sorted(tuples(entriesOf(dictOf(value))), by === 'value' ? 1 : 0, isCased, isTrue(reverse) ? -1 : 1),
  'map *': (value, [name, ...given], named) => {
    const { attribute: path, default: other = missing } = named
    const filter = path === undefined ? filters.get(text(name)) : null
    if (filter === undefined) refuse(`: the filter ${text(name)} is not known`)
    const found = (item: unknown) => {
      const inner = attribute(item, path)
      return inner instanceof Undefined ? other : inner
    }
    return iterator(itemsOf(value).map((item) => (filter ? filter(item, given, named) : found(item))))
  },
  'select *': (value, given) => iterator(chosen(value, true, given)),
  'reject *': (value, given) => iterator(chosen(value, false, given)),
  'selectattr *': (value, [path, ...given]) => iterator(chosen(value, true, given, path)),
  'rejectattr *': (value, [path, ...given]) => iterator(chosen(value, false, given, path)),
  'tojson indent': (value, [width = 0]) => new Markup(jsonText(value, spaces(Number(width)).length)),
  'cache_control type': (value, [type = 'ephemeral']) =>
    new Part({ type: 'text', text: text(value), cache_control: { type: text(type) } } as ContentPart),
  image: media('image', 'image/jpeg'),
  audio: media('audio', 'audio/mp3', 'wav m4a webm ogg flac'),
  video: media('video', 'video/mp4', 'mov webm avi'),
  document: media('document', 'application/pdf', 'txt md html', 'text/plain'),
})
