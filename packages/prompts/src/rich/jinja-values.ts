/**
 * @module
 * The filters, tests, methods and functions that templates may use. Values are read; no function of a value is called.
 */
import { type ContentPart, NotSupportedError } from '@x/core-model'
import { compare } from './jinja-operators.ts'
import { jsonText, type Operand, textOf, Undefined } from './python-text.ts'
import { isTrue, itemsOf } from './scope.ts'

type Named = Readonly<Record<string, unknown>>
/** Returns the filtered value. */
export type Filter = (value: unknown, given: readonly unknown[], named: Named) => unknown

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
export class Namespace {
  readonly values: Record<string, unknown>

  constructor(named: Named) {
    this.values = Object.assign(Object.create(null), named)
  }
}

/** Returns an attribute or item of a value. Names in snake case also find properties in camel case; functions are not values. */
export function lookUp(value: unknown, key: string | number): unknown {
  if (typeof value === 'string' || Array.isArray(value))
    return (Number.isInteger(Number(key)) ? [...value].at(Number(key)) : undefined) ?? new Undefined(null)
  if (typeof value !== 'object' || value === null || value instanceof Undefined) return new Undefined(null)
  if (value instanceof Namespace) return value.values[key] ?? new Undefined(null)
  const camel = String(key).replace(/(?<=[a-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  for (const name of [String(key), camel]) {
    if (Object.hasOwn(value, name) || (name in value && !(name in Object.prototype))) {
      const found = (value as Record<string, unknown>)[name]
      if (found !== undefined && typeof found !== 'function') return found
    }
  }
  return new Undefined(null)
}

const text = (value: unknown) => textOf(value)
const lower = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value)
const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()
const strip = (value: string, characters: unknown, start = true, end = true): string => {
  if (typeof characters !== 'string') return start ? (end ? value.trim() : value.trimStart()) : value.trimEnd()
  let [from, to] = [0, value.length]
  while (start && from < to && characters.includes(value[from]!)) from++
  while (end && from < to && characters.includes(value[to - 1]!)) to--
  return value.slice(from, to)
}
const order = (a: Operand, b: Operand) =>
  (lower(a) as Operand) < (lower(b) as Operand) ? -1 : (lower(a) as Operand) > (lower(b) as Operand) ? 1 : 0
/** Returns the value at a path such as `author.name`. */
const attribute = (value: unknown, path: unknown): unknown =>
  path === undefined || path === null
    ? value
    : text(path)
        .split('.')
        .reduce((inner, key) => lookUp(inner, key), value)
/** Makes a filter of a function, from the names of its arguments. */
const withNames =
  (names: string, apply: (value: Operand, ...given: Operand[]) => unknown): Filter =>
  (value, given, named) =>
    apply(value, ...names.split(' ').map((name, index) => given[index] ?? named[name] ?? undefined))

const methods: Readonly<Record<string, (value: Operand, given: Operand[], named: Named) => unknown>> = {
  upper: (value: string) => value.toUpperCase(),
  lower: (value: string) => value.toLowerCase(),
  title: (value: string) => value.replace(/\p{L}+/gu, capitalize),
  capitalize: (value: string) => capitalize(value),
  strip: (value: string, [characters]) => strip(value, characters),
  lstrip: (value: string, [characters]) => strip(value, characters, true, false),
  rstrip: (value: string, [characters]) => strip(value, characters, false),
  split: (value: string, [separator]) =>
    separator === undefined ? value.split(/\s+/).filter(Boolean) : value.split(separator),
  splitlines: (value: string) => value.split('\n'),
  join: (value: string, [items]) => itemsOf(items).map(text).join(value),
  replace: (value: string, [from, to]) => value.replaceAll(text(from), () => text(to)),
  startswith: (value: string, [start]) => value.startsWith(text(start)),
  endswith: (value: string, [end]) => value.endsWith(text(end)),
  items: (value: object) => Object.entries(value),
  keys: (value: object) => Object.keys(value),
  values: (value: object) => Object.values(value),
  get: (value: object, [key, standard]) => (Object.hasOwn(value, key) ? (value as Operand)[key] : (standard ?? null)),
  get_content: (value: Operand) =>
    typeof value.getContent === 'function' ? text(value.getContent()) : new Undefined(null),
  cycle: (value: Operand, given) => given[value.index0 % given.length],
}
const ofObjects = ['items', 'keys', 'values', 'get', 'get_content', 'cycle']

/** Calls a method of a string or object of Python. @throws {NotSupportedError} for other methods. */
export function callMethod(value: unknown, name: string, given: unknown[], named: Named): unknown {
  if (value instanceof Undefined) return value
  const fits = ofObjects.includes(name) ? typeof value === 'object' && value !== null : typeof value === 'string'
  if (fits && Object.hasOwn(methods, name)) return methods[name]!(value, given, named)
  throw new NotSupportedError(
    `RichPromptTemplate: the method ${name} cannot be called here. Known: ${Object.keys(methods).sort().join(', ')}.`,
  )
}

/** The functions that templates may call. */
export const globals: Readonly<Record<string, (given: unknown[], named: Named) => unknown>> = {
  range: (given) => {
    const [start, stop, step] = (given.length === 1 ? [0, given[0], 1] : [given[0], given[1], given[2] ?? 1]).map(
      Number,
    )
    const length = Math.max(0, Math.ceil((stop! - start!) / step!))
    if (length > 100_000)
      throw new NotSupportedError(`RichPromptTemplate: range: expected at most 100000 items, received ${length}.`)
    return Array.from({ length }, (_, index) => start! + index * step!)
  },
  dict: (_given, named) => ({ ...named }),
  namespace: (_given, named) => new Namespace(named),
}

/** The tests behind `is`. */
export const tests: Readonly<Record<string, (value: Operand, operand?: Operand) => boolean>> = {
  defined: (value) => !(value instanceof Undefined),
  undefined: (value) => value instanceof Undefined,
  none: (value) => value === null,
  string: (value) => typeof value === 'string',
  number: (value) => ['number', 'bigint', 'boolean'].includes(typeof value),
  boolean: (value) => typeof value === 'boolean',
  true: (value) => value === true,
  false: (value) => value === false,
  mapping: (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Undefined),
  sequence: (value) => typeof value === 'string' || Array.isArray(value),
  iterable: (value) => typeof value === 'string' || (typeof value === 'object' && value !== null),
  even: (value) => value % 2 === 0,
  odd: (value) => Math.abs(value % 2) === 1,
  divisibleby: (value, by) => value % by === 0,
  eq: compare['=='],
  equalto: compare['=='],
  ne: compare['!='],
  gt: compare['>'],
  ge: compare['>='],
  lt: compare['<'],
  le: compare['<='],
  in: compare.in,
  lower: (value) => value === lower(value) && value !== text(value).toUpperCase(),
  upper: (value) => value === text(value).toUpperCase() && value !== lower(value),
}

/** Keeps the items of an array for which a test is true or, with `keep` false, those for which it is not. */
const chosen =
  (keep: boolean, ofAttribute: boolean): Filter =>
  (value, given) => {
    const [path, name, operand] = ofAttribute ? given : [undefined, ...given]
    const test = name === undefined ? isTrue : tests[text(name)]
    if (!test) throw new NotSupportedError(`RichPromptTemplate: the test ${text(name)} is not known.`)
    return itemsOf(value).filter((item) => test(attribute(item, path), operand) === keep)
  }

/** Makes a part of an address: an image, or a file with the media type of its address: `other`, for these endings. */
const media =
  (kind: string, standardType: string, endings = '', other = `${kind}/`): Filter =>
  (value) => {
    const url = value instanceof Uint8Array ? `data:${standardType};base64,${base64(value)}` : text(value)
    if (!/^(?:data:[a-z]+\/.*;base64,|[a-z][a-z0-9+.-]*:\/\/[^/])/.test(url))
      throw new NotSupportedError(
        `RichPromptTemplate: ${kind}: expected an address, a data URL or bytes; read files before formatting.`,
      )
    if (kind === 'image') return new Part({ type: 'image_url', image_url: { url } })
    const ending = /\.(\w+)(?:[?#]|$)/.exec(url)?.[1]?.toLowerCase() ?? ''
    const ofEnding = endings.split(' ').includes(ending) ? other.replace(/\/$/, `/${ending}`) : standardType
    return new Part({ type: 'file', file: { url, media_type: /^data:([^;,]+)/.exec(url)?.[1] ?? ofEnding } })
  }

function base64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }
const escapeHtml = (value: unknown, pattern = /[&<>"']/g) => text(value).replace(pattern, (mark) => marks[mark]!)

function round(value: unknown, precision = 0, method = 'common'): number {
  const scale = 10 ** Number(precision)
  const scaled = Number(value) * scale
  if (method !== 'common') return Math[method === 'floor' ? 'floor' : 'ceil'](scaled) / scale
  const below = Math.floor(scaled)
  // Halves are rounded to the even neighbour.
  return scaled - below === 0.5
    ? (below % 2 === 0 ? below : below + 1) / scale
    : Number(Number(value).toFixed(Number(precision)))
}

function truncate(value: unknown, length = 255, killwords: unknown = false, end: unknown = '...', leeway = 5): string {
  const whole = text(value)
  if (whole.length <= Number(length) + Number(leeway)) return whole
  const start = whole.slice(0, Number(length) - text(end).length)
  const words = start.lastIndexOf(' ')
  return (isTrue(killwords) || words === -1 ? start : start.slice(0, words)) + text(end)
}

function indent(value: unknown, width: unknown = 4, first: unknown = false, blank: unknown = false): string {
  const space = typeof width === 'string' ? width : ' '.repeat(Number(width))
  return text(value)
    .split('\n')
    .map(
      (line, index) => (index === 0 ? (isTrue(first) ? space : '') : line !== '' || isTrue(blank) ? space : '') + line,
    )
    .join('\n')
}

function toXml(value: unknown): string {
  const data = typeof value === 'string' ? JSON.parse(value) : value
  const rows = Object.entries(data as object).map(([key, item]) => {
    const inner = escapeHtml(item, /[&<>]/g)
    return inner === '' ? `\t<${key}/>\n` : `\t<${key}>${inner}</${key}>\n`
  })
  return rows.length === 0 ? '<input/>\n' : `<input>\n${rows.join('')}</input>\n`
}

/** Makes a filter of a function of a string. */
const ofText =
  (change: (value: string, given: readonly unknown[]) => unknown): Filter =>
  (value, given) =>
    change(text(value), given)
/** Makes a filter that reads a number at the start of a string. */
const numberIn = (read: (value: string) => number): Filter =>
  ofText((value, [other = 0]) => (Number.isNaN(read(value)) ? other : read(value)))
const standard = withNames('default_value boolean', (value, other = '', boolean = false) =>
  value instanceof Undefined || (isTrue(boolean) && !isTrue(value)) ? other : value,
)
/** Returns the items in the order of an attribute. */
const sorted = (value: unknown, path: unknown, sign = 1): unknown[] =>
  [...itemsOf(value)].sort((a, b) => sign * order(attribute(a, path), attribute(b, path)))
const extreme = (sign: number) =>
  withNames('case_sensitive attribute', (value, _, path) => sorted(value, path, sign)[0] ?? new Undefined(null))
const length: Filter = (value) => itemsOf(value).length
const escape: Filter = (value) => escapeHtml(value)

/** The filters behind `|`. */
export const filters: Readonly<Record<string, Filter>> = {
  upper: ofText((value) => value.toUpperCase()),
  lower: ofText((value) => value.toLowerCase()),
  capitalize: ofText(capitalize),
  title: ofText((value) => value.replace(/[^-\s({[<]+/g, capitalize)),
  trim: withNames('chars', (value, characters) => strip(text(value), characters)),
  string: ofText((value) => value),
  safe: (value) => value,
  escape,
  e: escape,
  default: standard,
  d: standard,
  length,
  count: length,
  wordcount: ofText((value) => value.match(/[\p{L}\p{M}\p{N}_]+/gu)?.length ?? 0),
  truncate: withNames('length killwords end leeway', truncate),
  indent: withNames('width first blank', indent),
  replace: ofText((value, [from, to]) => value.replaceAll(text(from), () => text(to))),
  urlencode: ofText((value) => encodeURIComponent(value).replaceAll('%2F', '/')),
  int: numberIn((value) => Number.parseInt(value, 10)),
  float: numberIn(Number.parseFloat),
  abs: (value) => Math.abs(Number(value)),
  round: withNames('precision method', round),
  list: itemsOf,
  first: (value) => itemsOf(value)[0] ?? new Undefined(null),
  last: (value) => itemsOf(value).at(-1) ?? new Undefined(null),
  reverse: (value) => (typeof value === 'string' ? [...value].reverse().join('') : [...itemsOf(value)].reverse()),
  join: withNames('d attribute', (value, between = '', path) =>
    itemsOf(value)
      .map((item) => text(attribute(item, path)))
      .join(text(between)),
  ),
  sum: withNames('attribute start', (value, path, start = 0) =>
    itemsOf(value).reduce<number>((total, item) => total + Number(attribute(item, path)), Number(start)),
  ),
  min: extreme(1),
  max: extreme(-1),
  sort: withNames('reverse case_sensitive attribute', (value, reverse = false, _, path) =>
    sorted(value, path, isTrue(reverse) ? -1 : 1),
  ),
  unique: withNames('case_sensitive attribute', (value, _, path) => {
    const known = new Set<string>()
    return itemsOf(value).filter((item) => known.size < known.add(text(lower(attribute(item, path)))).size)
  }),
  items: (value) =>
    typeof value === 'object' && value !== null && !(value instanceof Undefined) ? Object.entries(value) : [],
  dictsort: (value) => Object.entries(value as object).sort(([a], [b]) => order(a, b)),
  map: (value, [name, ...rest], named) => {
    const path = named['attribute']
    const filter = path === undefined ? filters[text(name)] : undefined
    if (path === undefined && !filter)
      throw new NotSupportedError(`RichPromptTemplate: the filter ${text(name)} is not known.`)
    return itemsOf(value).map((item) => {
      if (filter) return filter(item, rest, named)
      const found = attribute(item, path)
      return found instanceof Undefined ? (named['default'] ?? found) : found
    })
  },
  select: chosen(true, false),
  reject: chosen(false, false),
  selectattr: chosen(true, true),
  rejectattr: chosen(false, true),
  tojson: withNames('indent', (value, spaces = 0) => jsonText(value, Number(spaces))),
  to_xml: toXml,
  cache_control: (value, [type = 'ephemeral']) =>
    new Part({ type: 'text', text: text(value), cache_control: { type: text(type) } } as ContentPart),
  image: media('image', 'image/jpeg'),
  audio: media('audio', 'audio/mp3', 'wav m4a webm ogg flac'),
  video: media('video', 'video/mp4', 'mov webm avi'),
  document: media('document', 'application/pdf', 'txt md html', 'text/plain'),
}
