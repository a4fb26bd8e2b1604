/**
 * @module
 * The part of Handlebars that `.prompt` files use.
 */
import { isPlainObject } from '@x/core/values'
import { TemplateSyntaxError } from '@x/core-model'

/** What a template writes: text, an image or file, the begin of a message, or the place of the history. */
export type Output =
  | { readonly text: string }
  | { readonly media: { readonly url: string; readonly contentType?: string } }
  | { readonly role: string }
  | { readonly history: true }

/** A value with those around it. */
export interface Context {
  readonly value: unknown
  /** `@index`, `@first`, `@last` and `@key` of a loop. */
  readonly data: Readonly<Record<string, unknown>>
  readonly parent: Context | null
}

type Render = (context: Context, out: Output[]) => void
type Value = (context: Context) => unknown

interface Tag {
  readonly kind: 'tag'
  /** The words of the tag, without white space. */
  readonly words: readonly string[]
  readonly at: number
}
type Piece = { readonly kind: 'text'; readonly text: string } | Tag

const maxDepth = 60

function syntaxError(template: string, at: number, problem: string, hint: string): TemplateSyntaxError {
  return new TemplateSyntaxError(template, at, problem, hint, 'readDotPrompt: ')
}

/** Reads a template. `names` are the variables that it prints outside of blocks. @throws {TemplateSyntaxError} */
export function readHandlebars(template: string): { render: Render; names: string[] } {
  const reader = new HandlebarsReader(template)
  return { render: reader.body([], null, 0), names: [...reader.names] }
}

class HandlebarsReader {
  readonly names = new Set<string>()
  readonly #template: string
  readonly #pieces: readonly Piece[]
  #index = 0

  constructor(template: string) {
    this.#template = template
    this.#pieces = split(template)
  }

  body(ends: readonly string[], opened: Tag | null, depth: number): Render {
    if (depth > maxDepth)
      throw syntaxError(this.#template, opened!.at, 'Blocks that are nested too deeply', `Nest at most ${maxDepth}.`)
    const parts: Render[] = []
    for (; this.#index < this.#pieces.length; this.#index++) {
      const piece = this.#pieces[this.#index]!
      if (piece.kind === 'text') parts.push((_context, out) => void out.push({ text: piece.text }))
      else if (ends.includes(piece.words[0]!)) return inOrder(parts)
      else if (piece.words[0]!.startsWith('#')) parts.push(this.#block(piece, depth))
      else parts.push(this.#inline(piece, depth))
    }
    if (opened)
      throw syntaxError(this.#template, opened.at, 'A block that is never closed', `Close it with {{${ends.at(-1)}}}.`)
    return inOrder(parts)
  }

  #inline({ words, at }: Tag, depth: number): Render {
    const [name, ...rest] = words as [string, ...string[]]
    const [values, options] = argumentsOf(rest)
    if (name === 'history' && rest.length === 0) return (_context, out) => void out.push({ history: true })
    if (name === 'role' && values.length === 1)
      return (context, out) => void out.push({ role: String(values[0]!(context)) })
    if (name === 'media' && options['url'])
      return (context, out) => {
        const contentType = options['contentType']?.(context)
        const url = String(options['url']!(context) ?? '')
        out.push({ media: { url, ...(contentType !== undefined && { contentType: String(contentType) }) } })
      }
    if (name === 'json' && values.length === 1)
      return (context, out) => {
        out.push({ text: JSON.stringify(values[0]!(context), null, Number(options['indent']?.(context) ?? 0)) ?? '' })
      }
    if (rest.length > 0 || /^$|^[>/&]|^else$|^(?:role|media|json|section)$/.test(name))
      throw syntaxError(
        this.#template,
        at,
        `The tag "${name.slice(0, 40)}" cannot be here`,
        'Known: role, media, history, json, #if, #unless, #each, #ifEquals, #unlessEquals.',
      )
    const root = name.split(/[./]/)[0]!
    if (depth === 0 && /^[\p{L}_]/u.test(root) && root !== 'this') this.names.add(root)
    const value = valueOf(name)
    return (context, out) => {
      const found = value(context)
      out.push({ text: found === null || found === undefined ? '' : String(found) })
    }
  }

  /** Reads a block. The current piece is then the tag that closes it. */
  #block(opened: Tag, depth: number): Render {
    const name = opened.words[0]!.slice(1)
    const [values] = argumentsOf(opened.words.slice(1))
    const count = { if: 1, unless: 1, each: 1, ifEquals: 2, unlessEquals: 2 }[name]
    if (count === undefined || values.length !== count)
      throw syntaxError(
        this.#template,
        opened.at,
        `The block "${name.slice(0, 40)}" is not known, or has other arguments`,
        'Known: if, unless, each, ifEquals, unlessEquals.',
      )
    if (name === 'each') {
      const root = opened.words[1]!.split(/[./]/)[0]!
      if (depth === 0 && /^[\p{L}_]/u.test(root) && root !== 'this') this.names.add(root)
    }
    this.#index++
    const then = this.body(['else', `/${name}`], opened, depth + 1)
    let otherwise: Render = () => {}
    const { words, at } = this.#pieces[this.#index] as Tag
    if (words[0] === 'else') {
      if (words.length > 1) {
        // {{else if x}} is a block in the other branch, which ends where this one does.
        otherwise = this.#block({ kind: 'tag', words: [`#${words[1]}`, ...words.slice(2)], at }, depth + 1)
        return choice(name, values, then, otherwise)
      }
      this.#index++
      otherwise = this.body([`/${name}`], opened, depth + 1)
    }
    return choice(name, values, then, otherwise)
  }
}

const inOrder =
  (parts: readonly Render[]): Render =>
  (context, out) => {
    for (const part of parts) part(context, out)
  }

function choice(name: string, [first, second]: readonly Value[], then: Render, otherwise: Render): Render {
  if (name !== 'each')
    return (context, out) => {
      const value = first!(context)
      const isTrue = second ? value === second(context) : Array.isArray(value) ? value.length > 0 : Boolean(value)
      return (isTrue === !name.startsWith('unless') ? then : otherwise)(context, out)
    }
  return (context, out) => {
    const value = first!(context)
    const items = Array.isArray(value) ? [...value.entries()] : isPlainObject(value) ? Object.entries(value) : []
    for (const [index, [key, item]] of items.entries()) {
      const data = { index, key, first: index === 0, last: index === items.length - 1 }
      then({ value: item, data, parent: context }, out)
    }
    if (items.length === 0) otherwise(context, out)
  }
}

/** Returns the values of the arguments of a tag, and those with names. */
function argumentsOf(words: readonly string[]): [values: Value[], options: Readonly<Record<string, Value>>] {
  const values: Value[] = []
  const options: Record<string, Value> = {}
  for (const word of words) {
    const named = /^(\w+)=([\s\S]*)$/.exec(word)
    if (named) options[named[1]!] = valueOf(named[2]!)
    else values.push(valueOf(word))
  }
  return [values, options]
}

const literals: Readonly<Record<string, unknown>> = { true: true, false: false, null: null, undefined: undefined }

/** Returns the value of a literal or of a path. Inherited properties are not read. */
function valueOf(word: string): Value {
  if (/^["']/.test(word)) return () => word.slice(1, -1)
  if (/^-?\d+(?:\.\d+)?$/.test(word)) return () => Number(word)
  if (Object.hasOwn(literals, word)) return () => literals[word]
  if (word.startsWith('@') && !word.startsWith('@root'))
    return (context) => {
      let inner: Context | null = context
      while (inner && !(word.slice(1) in inner.data)) inner = inner.parent
      return inner?.data[word.slice(1)]
    }
  const [, ups, rest] = /^((?:\.\.\/)*)([\s\S]*)$/.exec(word)!
  const keys = rest!.split(/[./]/).filter((key) => key !== '' && key !== 'this' && key !== '@root')
  return (context) => {
    let inner = context
    for (let up = 0; up < ups!.length / 3 && inner.parent; up++) inner = inner.parent
    if (word.startsWith('@root')) while (inner.parent) inner = inner.parent
    return keys.reduce<unknown>((value, key) => {
      const name = key.replace(/^\[(.*)\]$/, '$1')
      return value !== null && value !== undefined && Object.hasOwn(Object(value), name)
        ? Object(value)[name]
        : undefined
    }, inner.value)
  }
}

/** Splits a template into text and tags. A tag of a block or a comment that is alone in its line takes the line with it. */
function split(template: string): Piece[] {
  const pieces: Piece[] = []
  let text = ''
  let position = 0
  /** What the tag before removes from the text behind it: all white space, or the rest of its line. */
  let trims = ''
  for (let open = template.indexOf('{{'); open !== -1; open = template.indexOf('{{', position)) {
    const escaped = template[open - 1] === '\\'
    const isComment = template.startsWith('!', open + 2 + Number(template[open + 2] === '~'))
    const long = isComment && template.startsWith('!--', open + 2 + Number(template[open + 2] === '~'))
    const end = template.startsWith('{{{', open) ? '}}}' : '}}'
    const from = long ? template.indexOf('--', open + 5) : open
    const close = from === -1 ? -1 : template.indexOf(end, from)
    if (close === -1) throw syntaxError(template, open, 'A tag that is never closed', `Close it with ${end}.`)
    if (escaped) {
      text += `${template.slice(position, open - 1)}${template.slice(open, close + 2)}`
      position = close + 2
      continue
    }
    let inside = template.slice(open + end.length, close)
    let before = cut(template.slice(position, open), trims)
    const [left, right] = [inside.startsWith('~'), inside.endsWith('~')]
    inside = inside.slice(Number(left), inside.length - Number(right)).trim()
    position = close + end.length
    trims = right ? 'all' : ''
    if (left) before = (text + before).trimEnd()
    else before = text + before
    if ((isComment || /^(?:[#/]|else\b)/.test(inside)) && isAlone(template, open, position)) {
      before = before.replace(/[ \t]{1,1000}$/, '')
      if (!right) trims = 'line'
    }
    if (before !== '') pieces.push({ kind: 'text', text: before })
    text = ''
    if (!isComment) pieces.push({ kind: 'tag', words: wordsOf(inside), at: open })
  }
  text += cut(template.slice(position), trims)
  if (text !== '') pieces.push({ kind: 'text', text })
  return pieces
}

/** Whether only blanks are around a tag in its line. */
function isAlone(template: string, start: number, end: number): boolean {
  let [from, to] = [start, end]
  while (/[ \t]/.test(template.charAt(from - 1))) from--
  while (/[ \t\r]/.test(template.charAt(to))) to++
  return (from === 0 || template[from - 1] === '\n') && (to === template.length || template[to] === '\n')
}

function cut(text: string, trims: string): string {
  if (trims === 'all') return text.trimStart()
  return trims === 'line' ? text.replace(/^[ \t]*\r?\n?/, '') : text
}

const word = /\s*((?:\w+=)?(?:"[^"]*"|'[^']*')|[^\s"']+)/y

function wordsOf(inside: string): string[] {
  const words: string[] = []
  word.lastIndex = 0
  for (let found = word.exec(inside); found; found = word.exec(inside)) words.push(found[1]!)
  return words.length > 0 ? words : ['']
}
