/**
 * @module
 * The filters, tests, methods and functions that templates may use. Values are read; no function of a value is called.
 */
import type { ContentPart } from '@x/core-model'
import { toBase64 } from '@x/core-model/data'
import { compare, contains, isEqual, maxLength, plus } from './jinja-operators.ts'
import { entriesOf, isDict, isNumber, jsonText, kind, type Operand, refuse, textOf, Undefined } from './python-text.ts'
import { isTrue, itemsOf } from './scope.ts'

type Named = Readonly<Record<string, unknown>>
/** Applies a filter, test, method or function of a template to a value. */
export type Callable = (value: Operand, given: Operand[], named: Named) => Operand

/** Reads a table of functions by name (`escape/e`: by both). Behind the name are those of the arguments; `*`: any. Others are refused. */
const callables = (table: Readonly<Record<string, Callable>>): ReadonlyMap<string, Callable> =>
  new Map(
    Object.entries(table).flatMap(([row, apply]) => {
      const [names, ...keys] = row.split(' ')
      const all = (given: Operand[], named: Named) => [...given, ...keys.slice(given.length).map((key) => named[key])]
      const call: Callable = (value, given, named) => {
        if (keys[0] === '*') return apply(value, given, named)
        const unknown = Object.keys(named).find((key) => !keys.includes(key))
        if (unknown !== undefined) refuse(` has no argument ${unknown}`)
        if (given.length > keys.length) refuse(`: expected at most ${keys.length} arguments, received ${given.length}`)
        return apply(value, all(given, named), named)
      }
      return names!.split('/').map((name) => [name, call] as const)
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

const missing = /* @__PURE__ */ new Undefined(null)

/** Returns an attribute or item of a value. Names in snake case also find properties in camel case; functions are not values. */
export function lookUp(value: Operand, key: string | number): unknown {
  if (value instanceof Map) return value.has(key) ? value.get(key) : missing
  if (typeof value === 'string' || Array.isArray(value))
    return Number.isInteger(Number(key)) ? (itemsOf(value).at(Number(key)) ?? missing) : missing
  if (typeof value !== 'object' || value === null || value instanceof Undefined) return missing
  const camel = String(key).replace(/(?<=[a-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  const name = [String(key), camel].find((name) => value[name] !== undefined && isOwnOrField(value, name))
  return name === undefined || typeof value[name] === 'function' ? missing : value[name]
}
const isOwnOrField = (value: object, name: string) => Object.hasOwn(value, name) || !(name in Object.prototype)

const text = (value: unknown) => textOf(value)
const lower = (value: Operand) => (typeof value === 'string' ? value.toLowerCase() : value)
const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()
const isObject = (value: Operand) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Undefined)
const stringOf = (value: unknown): string =>
  typeof value === 'string' ? value : refuse(`: expected a string, received ${kind(value)}`)
const numberOf = (value: unknown): number =>
  isNumber(value) ? Number(value) : refuse(`: expected a number, received ${kind(value)}`)
const integerOf = (value: unknown): number =>
  Number.isInteger(numberOf(value)) ? Number(value) : refuse(`: expected a whole number, received ${kind(value)}`)
const dictOf = (value: Operand): object =>
  isObject(value) ? value : refuse(`: expected an object, received ${kind(value)}`)
/** Returns a negative number if `a` is before `b`. */
const order = (a: unknown, b: unknown): number => compare(a, b) ?? refuse(`: ${kind(a)} and ${kind(b)} have no order`)
/** Returns a string without characters, or white space, at its start or end. */
const strip = (value: string, characters: unknown, start = true, end = true): string => {
  const isStripped = (at: number) =>
    typeof characters === 'string' ? characters.includes(value[at]!) : value[at]!.trim() === ''
  let [from, to] = [0, value.length]
  while (start && from < to && isStripped(from)) from++
  while (end && from < to && isStripped(to - 1)) to--
  return value.slice(from, to)
}
/** Returns the value at a path such as `author.name`. */
const attribute = (value: unknown, path: unknown): unknown =>
  (path ?? null) === null ? value : text(path).split('.').reduce(lookUp, value)
/** Returns the items in the order of an attribute. */
const sorted = (value: unknown, path: unknown, isCased: unknown, sign = 1): Operand[] => {
  const caseOf = isTrue(isCased) ? (key: unknown) => key : lower
  const keyed = itemsOf(value).map((item) => [caseOf(attribute(item, path)), item] as const)
  return keyed.sort(([a], [b]) => sign * order(a, b)).map(([, item]) => item)
}
const firstOf = ([first = missing]: readonly unknown[]) => first
const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }
const escape = (value: unknown, pattern = /[&<>"']/g) => text(value).replace(pattern, (mark) => marks[mark]!)
/** Returns the number that a value is or writes; another one if it writes none. */
const readNumber = (value: unknown, other: unknown = 0): Operand => {
  if (isNumber(value)) return Number(value)
  return /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?\s*$/i.test(text(value)) ? Number(text(value)) : other
}
/** Replaces a string, at most as often as `count` says. */
const replaced = (value: string, from: unknown, to: unknown, count: unknown = null) => {
  let left = count === null ? Number.POSITIVE_INFINITY : integerOf(count)
  return value.replaceAll(text(from), (found) => (left-- > 0 ? text(to) : found))
}
/** Escapes a string for an address; what a form sends has no slashes, and plus signs as spaces. */
const urlText = (value: unknown, isForm = false): string => {
  const marked = encodeURIComponent(text(value)).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return isForm ? marked.replaceAll('%20', '+') : marked.replaceAll('%2F', '/')
}

const ofStrings = /* @__PURE__ */ callables({
  upper: (value) => value.toUpperCase(),
  lower,
  title: (value) => value.replace(/\p{L}+/gu, capitalize),
  capitalize,
  'strip chars': (value, [characters]) => strip(value, characters),
  'lstrip chars': (value, [characters]) => strip(value, characters, true, false),
  'rstrip chars': (value, [characters]) => strip(value, characters, false),
  'split sep maxsplit': (value, [separator = null, limit = -1]) => {
    if (separator === null)
      return limit === -1 ? value.split(/\s+/).filter(Boolean) : refuse(': maxsplit needs a separator')
    const pieces = value.split(stringOf(separator) || refuse(': expected a separator that is not empty'))
    const rest = integerOf(limit) < 0 ? [] : pieces.splice(limit)
    return rest.length > 0 ? [...pieces, rest.join(separator)] : pieces
  },
  splitlines: (value) => (value === '' ? [] : value.replace(/(?:\r\n?|\n)$/, '').split(/\r\n?|\n/)),
  'join iterable': (value, [items]) => itemsOf(items).map(stringOf).join(value),
  'replace old new count': (value, [from, to, count]) => replaced(value, stringOf(from), stringOf(to), count),
  'startswith prefix': (value, [start]) => value.startsWith(stringOf(start)),
  'endswith suffix': (value, [end]) => value.endsWith(stringOf(end)),
})
const ofObjects = /* @__PURE__ */ callables({
  items: entriesOf,
  keys: (value) => entriesOf(value).map(([key]) => key),
  values: (value) => entriesOf(value).map(([, item]) => item),
  'get key default': (value, [key, standard = null]) => {
    if (value instanceof Map) return value.has(key) ? value.get(key) : standard
    return Object.hasOwn(value, key) ? value[key] : standard
  },
  'get_content metadata_mode': (value) => (typeof value.getContent === 'function' ? text(value.getContent()) : missing),
  'cycle *': (value, given) => given[value.index0 % given.length],
})

/** Calls a method of a string or object of Python. @throws {NotSupportedError} for other methods. */
export function callMethod(value: unknown, name: string, given: unknown[], named: Named): unknown {
  if (value instanceof Undefined) return value
  const method = typeof value === 'string' ? ofStrings.get(name) : isObject(value) ? ofObjects.get(name) : undefined
  const known = [...ofStrings.keys(), ...ofObjects.keys()].sort().join(', ')
  return method ? method(value, given, named) : refuse(` cannot be called on ${kind(value)}; known: ${known}`)
}

/** The functions that templates may call. */
export const globals = /* @__PURE__ */ callables({
  'range *': (_, given) => {
    const [start, stop, step = 1] = (given.length === 1 ? [0, ...given] : given).map(integerOf)
    const length = Math.max(0, Math.ceil((integerOf(stop) - start!) / step))
    if (!(length <= 100_000)) refuse(`: expected at most 100000 items, received ${length}`)
    return Array.from({ length }, (_, index) => start! + index * step)
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
  number: (value) => /number|bigint|boolean/.test(typeof value),
  boolean: (value) => typeof value === 'boolean',
  true: (value) => value === true,
  false: (value) => value === false,
  mapping: isObject,
  sequence: (value) => typeof value === 'string' || Array.isArray(value) || isDict(value),
  iterable: (value) => typeof value === 'string' || (typeof value === 'object' && value !== null),
  even: (value) => numberOf(value) % 2 === 0,
  odd: (value) => Math.abs(numberOf(value) % 2) === 1,
  'divisibleby num': (value, [by]) => numberOf(value) % numberOf(by) === 0,
  'eq/equalto other': (value, [other]) => isEqual(value, other),
  'ne other': (value, [other]) => !isEqual(value, other),
  'gt other': (value, [other]) => order(value, other) > 0,
  'ge other': (value, [other]) => order(value, other) >= 0,
  'lt other': (value, [other]) => order(value, other) < 0,
  'le other': (value, [other]) => order(value, other) <= 0,
  'in seq': (value, [all]) => contains(all, value) ?? refuse(`: ${kind(all)} contains no ${kind(value)}`),
  lower: (value) => value === lower(value) && value !== text(value).toUpperCase(),
  upper: (value) => value === text(value).toUpperCase() && value !== lower(value),
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

/** Rounds as Python does, halves to the even neighbour; or with `method` floor or ceil. */
function round(value: number, precision: number, method: string): number {
  if (method === 'floor' || method === 'ceil') return Math[method](value * 10 ** precision) / 10 ** precision
  if (method !== 'common') refuse(`: expected the method common, floor or ceil, received ${method}`)
  if (!Number.isFinite(value) || precision > 20 || (precision >= 0 && Number.isInteger(value))) return value
  if (precision < 0) return round(value / 10 ** -precision, 0, method) * 10 ** -precision
  // Of two neighbours that are equally far, `toFixed` takes the larger one. All digits of the number show whether they are.
  const digits = value.toFixed(Math.min(100, precision + 60))
  const isHalf = /^50*$/.test(digits.slice(digits.indexOf('.') + 1 + precision))
  const rounded = value.toFixed(precision)
  return Number(
    isHalf && Number(rounded.at(-1)) % 2 === 1
      ? digits.slice(0, digits.indexOf('.') + (precision && precision + 1))
      : rounded,
  )
}

function truncate(whole: string, length: number, isKilled: boolean, end: string, leeway: number): string {
  if (whole.length <= length + leeway) return whole
  const start = whole.slice(0, length - end.length)
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
  const lines = value.split('\n').map((line, index) => (isIndented(line, index) ? space : '') + line)
  return lines.join('\n')
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return refuse(': the string is no JSON')
  }
}

function toXml(value: Operand): string {
  const rows = entriesOf(dictOf(typeof value === 'string' ? parsed(value) : value)).map(([key, item]) => {
    const inner = escape(item, /[&<>]/g)
    return inner === '' ? `\t<${key}/>\n` : `\t<${key}>${inner}</${key}>\n`
  })
  return rows.length === 0 ? '<input/>\n' : `<input>\n${rows.join('')}</input>\n`
}

/** The filters behind `|`. */
export const filters = /* @__PURE__ */ callables({
  upper: (value) => text(value).toUpperCase(),
  lower: (value) => text(value).toLowerCase(),
  capitalize: (value) => capitalize(text(value)),
  title: (value) => text(value).replace(/[^-\s({[<]+/g, capitalize),
  'trim chars': (value, [characters]) => strip(text(value), characters),
  string: text,
  safe: (value) => value,
  'escape/e': (value) => escape(value),
  'default/d default_value boolean': (value, [other = '', boolean]) =>
    value instanceof Undefined || (isTrue(boolean) && !isTrue(value)) ? other : value,
  'length/count': (value) => itemsOf(value).length,
  wordcount: (value) => text(value).match(/[\p{L}\p{M}\p{N}_]+/gu)?.length ?? 0,
  'truncate length killwords end leeway': (value, [length = 255, isKilled, end = '...', leeway = 5]) =>
    truncate(text(value), Number(length), isTrue(isKilled), text(end), Number(leeway)),
  'indent width first blank': (value, [width = 4, first, blank]) =>
    indent(text(value), width, isTrue(first), isTrue(blank)),
  'replace old new count': (value, [from, to, count]) => replaced(text(value), from, to, count),
  urlencode: (value) => {
    if (!isDict(value) && !Array.isArray(value)) return urlText(value)
    const pairs = Array.isArray(value) ? value.map(itemsOf) : entriesOf(value)
    return pairs.map(([key, item]) => `${urlText(key, true)}=${urlText(item, true)}`).join('&')
  },
  'int default': (value, [other]) => {
    const found = readNumber(value, other)
    return typeof found === 'number' ? Math.trunc(found) + 0 : found
  },
  'float default': (value, [other]) => readNumber(value, other),
  abs: (value) => Math.abs(numberOf(value)),
  'round precision method': (value, [precision = 0, method = 'common']) =>
    round(numberOf(value), integerOf(precision), text(method)),
  list: itemsOf,
  first: (value) => firstOf(itemsOf(value)),
  last: (value) => firstOf([...itemsOf(value)].reverse()),
  reverse: (value) => (typeof value === 'string' ? [...value].reverse().join('') : [...itemsOf(value)].reverse()),
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
    const keyOf = (item: unknown) => (isTrue(isCased) ? item : lower(item))
    return itemsOf(value).filter((item) => known.size < known.add(text([keyOf(attribute(item, path))])).size)
  },
  items: (value) => (value instanceof Undefined ? [] : entriesOf(dictOf(value))),
  'dictsort case_sensitive by reverse': (value, [isCased, by = 'key', reverse]) =>
    sorted(entriesOf(dictOf(value)), by === 'value' ? 1 : 0, isCased, isTrue(reverse) ? -1 : 1),
  'map *': (value, [name, ...given], named) => {
    const { attribute: path, default: other = missing } = named
    const filter = path === undefined ? filters.get(text(name)) : null
    if (filter === undefined) refuse(`: the filter ${text(name)} is not known`)
    const found = (item: unknown) => {
      const inner = attribute(item, path)
      return inner instanceof Undefined ? other : inner
    }
    return itemsOf(value).map((item) => (filter ? filter(item, given, named) : found(item)))
  },
  'select *': (value, given) => chosen(value, true, given),
  'reject *': (value, given) => chosen(value, false, given),
  'selectattr *': (value, [path, ...given]) => chosen(value, true, given, path),
  'rejectattr *': (value, [path, ...given]) => chosen(value, false, given, path),
  'tojson indent': (value, [width = 0]) => jsonText(value, spaces(Number(width)).length),
  to_xml: toXml,
  'cache_control type': (value, [type = 'ephemeral']) =>
    new Part({ type: 'text', text: text(value), cache_control: { type: text(type) } } as ContentPart),
  image: media('image', 'image/jpeg'),
  audio: media('audio', 'audio/mp3', 'wav m4a webm ogg flac'),
  video: media('video', 'video/mp4', 'mov webm avi'),
  document: media('document', 'application/pdf', 'txt md html', 'text/plain'),
})
