/**
 * @module
 * The filters, tests, methods and functions that templates may use. Values are read; no function of a value is called.
 */
import { type ContentPart, NotSupportedError } from '@x/core-model'
import { toBase64 } from '@x/core-model/data'
import { contains, isEqual } from './jinja-operators.ts'
import { jsonText, type Operand, textOf, Undefined } from './python-text.ts'
import { isTrue, itemsOf } from './scope.ts'

type Named = Readonly<Record<string, unknown>>
/** Applies a filter, test, method or function of a template to a value. */
export type Callable = (value: Operand, given: Operand[], named: Named) => Operand

/** Reads a table of functions by name (`escape/e`: by both). Behind the name are those of the arguments that may be passed by name. */
const callables = (table: Readonly<Record<string, Callable>>): ReadonlyMap<string, Callable> =>
  new Map(
    Object.entries(table).flatMap(([row, apply]) => {
      const [names, ...keys] = row.split(' ')
      const all = (given: Operand[], named: Named) => [...given, ...keys.slice(given.length).map((key) => named[key])]
      const call: Callable = (value, given, named) => apply(value, all(given, named), named)
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
  if (value instanceof Map) return value.get(key) ?? missing
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
const isObject = (value: Operand) => typeof value === 'object' && value !== null && !(value instanceof Undefined)
const refuse = (problem: string): never => {
  throw new NotSupportedError(`RichPromptTemplate: ${problem}`)
}
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
const sorted = (value: unknown, path: unknown = null, sign = 1): Operand[] => {
  const keyed = itemsOf(value).map((item) => [lower(attribute(item, path)), item] as const)
  return keyed.sort(([a], [b]) => (a < b ? -sign : a > b ? sign : 0)).map(([, item]) => item)
}
const firstOf = ([first = missing]: readonly unknown[]) => first
const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }
const escape = (value: unknown, pattern = /[&<>"']/g) => text(value).replace(pattern, (mark) => marks[mark]!)
/** Returns a number at the start of a string. */
const numberOr = (found: number, other: unknown = 0) => (Number.isNaN(found) ? other : found)

const ofStrings = /* @__PURE__ */ callables({
  upper: (value) => value.toUpperCase(),
  lower,
  title: (value) => value.replace(/\p{L}+/gu, capitalize),
  capitalize,
  strip: (value, [characters]) => strip(value, characters),
  lstrip: (value, [characters]) => strip(value, characters, true, false),
  rstrip: (value, [characters]) => strip(value, characters, false),
  split: (value, [separator]) =>
    separator === undefined ? value.split(/\s+/).filter(Boolean) : value.split(separator),
  splitlines: (value) => value.split('\n'),
  join: (value, [items]) => itemsOf(items).map(text).join(value),
  replace: (value, [from, to]) => value.replaceAll(text(from), () => text(to)),
  startswith: (value, [start]) => value.startsWith(text(start)),
  endswith: (value, [end]) => value.endsWith(text(end)),
})
const ofObjects = /* @__PURE__ */ callables({
  items: (value) => Object.entries(value),
  keys: (value) => Object.keys(value),
  values: (value) => Object.values(value),
  get: (value, [key, standard = null]) => (Object.hasOwn(value, key) ? value[key] : standard),
  get_content: (value) => (typeof value.getContent === 'function' ? text(value.getContent()) : missing),
  cycle: (value, given) => given[value.index0 % given.length],
})

/** Calls a method of a string or object of Python. @throws {NotSupportedError} for other methods. */
export function callMethod(value: unknown, name: string, given: unknown[], named: Named): unknown {
  if (value instanceof Undefined) return value
  const method = typeof value === 'string' ? ofStrings.get(name) : isObject(value) ? ofObjects.get(name) : undefined
  const known = [...ofStrings.keys(), ...ofObjects.keys()].sort().join(', ')
  return method ? method(value, given, named) : refuse(`the method ${name} cannot be called here. Known: ${known}.`)
}

/** The functions that templates may call. */
export const globals = /* @__PURE__ */ callables({
  range: (_, given) => {
    const [start, stop, step = 1] = (given.length === 1 ? [0, ...given] : given).map(Number) as [number, number]
    const length = Math.max(0, Math.ceil((stop - start) / step))
    if (length > 100_000) refuse(`range: expected at most 100000 items, received ${length}.`)
    return Array.from({ length }, (_, index) => start + index * step)
  },
  dict: (_, _given, named) => ({ ...named }),
  namespace: (_, _given, named) => new Namespace(Object.entries(named)),
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
  mapping: (value) => isObject(value) && !Array.isArray(value),
  sequence: (value) => typeof value === 'string' || Array.isArray(value),
  iterable: (value) => typeof value === 'string' || (typeof value === 'object' && value !== null),
  even: (value) => value % 2 === 0,
  odd: (value) => Math.abs(value % 2) === 1,
  divisibleby: (value, [by]) => value % by === 0,
  'eq/equalto': (value, [other]) => isEqual(value, other),
  ne: (value, [other]) => !isEqual(value, other),
  gt: (value, [other]) => value > other,
  ge: (value, [other]) => value >= other,
  lt: (value, [other]) => value < other,
  le: (value, [other]) => value <= other,
  in: (value, [all]) => contains(all, value),
  lower: (value) => value === lower(value) && value !== text(value).toUpperCase(),
  upper: (value) => value === text(value).toUpperCase() && value !== lower(value),
})

/** Keeps the items for which a test is true or, with `keep` false, those for which it is not. */
const chosen = (value: unknown, keep: boolean, [name, ...given]: Operand[], path?: unknown) => {
  const test = name === undefined ? isTrue : (tests.get(text(name)) ?? refuse(`the test ${text(name)} is not known.`))
  return itemsOf(value).filter((item) => test(attribute(item, path), given, {}) === keep)
}

/** Makes a part of an address or bytes: a file with the media type of its address: `other`, for these endings. */
const media =
  (kind: string, standardType: string, endings = '', other = `${kind}/`): Callable =>
  (value) => {
    const url = value instanceof Uint8Array ? `data:${standardType};base64,${toBase64(value)}` : text(value)
    if (!/^(?:data:[a-z]+\/.*;base64,|[a-z][a-z0-9+.-]*:\/\/[^/])/.test(url))
      refuse(`${kind}: expected an address, a data URL or bytes; read files before formatting.`)
    if (kind === 'image') return new Part({ type: 'image_url', image_url: { url } })
    const ending = /\.(\w+)(?:[?#]|$)/.exec(url)?.[1]?.toLowerCase() ?? ''
    const ofEnding = endings.split(' ').includes(ending) ? other.replace(/\/$/, `/${ending}`) : standardType
    return new Part({ type: 'file', file: { url, media_type: /^data:([^;,]+)/.exec(url)?.[1] ?? ofEnding } })
  }

/** Rounds as Python does, halves to the even neighbour; or with `method` floor or ceil. */
function round(value: number, precision: number, method: string): number {
  const scaled = value * 10 ** precision
  const below = Math.floor(scaled)
  const isHalf = scaled - below === 0.5
  if (method === 'common' && !isHalf) return Number(value.toFixed(precision))
  const up = method === 'ceil' ? scaled > below : isHalf && method === 'common' && below % 2 !== 0
  return (up ? below + 1 : below) / 10 ** precision
}

function truncate(whole: string, length: number, isKilled: boolean, end: string, leeway: number): string {
  if (whole.length <= length + leeway) return whole
  const start = whole.slice(0, length - end.length)
  const words = start.lastIndexOf(' ')
  return (isKilled || words === -1 ? start : start.slice(0, words)) + end
}

function indent(value: string, width: string | number, first: boolean, blank: boolean): string {
  const space = typeof width === 'string' ? width : ' '.repeat(width)
  const isIndented = (line: string, index: number) => (index === 0 ? first : line !== '' || blank)
  const lines = value.split('\n').map((line, index) => (isIndented(line, index) ? space : '') + line)
  return lines.join('\n')
}

function toXml(value: Operand): string {
  const rows = Object.entries(typeof value === 'string' ? JSON.parse(value) : value).map(([key, item]) => {
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
  replace: (value, [from, to]) => text(value).replaceAll(text(from), () => text(to)),
  urlencode: (value) => encodeURIComponent(text(value)).replaceAll('%2F', '/'),
  'int default': (value, [other]) => numberOr(Number.parseInt(text(value), 10), other),
  'float default': (value, [other]) => numberOr(Number.parseFloat(text(value)), other),
  abs: (value) => Math.abs(Number(value)),
  'round precision method': (value, [precision = 0, method = 'common']) =>
    round(Number(value), Number(precision), method),
  list: itemsOf,
  first: (value) => firstOf(itemsOf(value)),
  last: (value) => firstOf([...itemsOf(value)].reverse()),
  reverse: (value) => (typeof value === 'string' ? [...value].reverse().join('') : [...itemsOf(value)].reverse()),
  'join d attribute': (value, [between = '', path]) => {
    const texts = itemsOf(value).map((item) => text(attribute(item, path)))
    return texts.join(text(between))
  },
  'sum attribute start': (value, [path, start = 0]) =>
    itemsOf(value).reduce<number>((total, item) => total + Number(attribute(item, path)), Number(start)),
  'min case_sensitive attribute': (value, [, path]) => firstOf(sorted(value, path)),
  'max case_sensitive attribute': (value, [, path]) => firstOf(sorted(value, path, -1)),
  'sort reverse case_sensitive attribute': (value, [reverse, , path]) => sorted(value, path, isTrue(reverse) ? -1 : 1),
  'unique case_sensitive attribute': (value, [, path]) => {
    const known = new Set<string>()
    return itemsOf(value).filter((item) => known.size < known.add(text(lower(attribute(item, path)))).size)
  },
  items: (value) => (isObject(value) ? Object.entries(value) : []),
  dictsort: (value) => sorted(Object.entries(value), 0),
  map: (value, [name, ...given], named) => {
    const { attribute: path, default: other = missing } = named
    const filter = path === undefined ? filters.get(text(name)) : null
    if (filter === undefined) refuse(`the filter ${text(name)} is not known.`)
    const found = (item: unknown) => {
      const inner = attribute(item, path)
      return inner instanceof Undefined ? other : inner
    }
    return itemsOf(value).map((item) => (filter ? filter(item, given, named) : found(item)))
  },
  select: (value, given) => chosen(value, true, given),
  reject: (value, given) => chosen(value, false, given),
  selectattr: (value, [path, ...given]) => chosen(value, true, given, path),
  rejectattr: (value, [path, ...given]) => chosen(value, false, given, path),
  'tojson indent': (value, [spaces = 0]) => jsonText(value, Number(spaces)),
  to_xml: toXml,
  cache_control: (value, [type = 'ephemeral']) =>
    new Part({ type: 'text', text: text(value), cache_control: { type: text(type) } } as ContentPart),
  image: media('image', 'image/jpeg'),
  audio: media('audio', 'audio/mp3', 'wav m4a webm ogg flac'),
  video: media('video', 'video/mp4', 'mov webm avi'),
  document: media('document', 'application/pdf', 'txt md html', 'text/plain'),
})
