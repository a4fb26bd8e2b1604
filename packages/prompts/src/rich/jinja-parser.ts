/**
 * @module
 * Reads a Jinja template as a function that writes its text.
 */
import { NotSupportedError } from '@x/core-model'
import { ExpressionReader } from './jinja-expression.ts'
import { lex, normalized, type Piece, syntaxError } from './jinja-lexer.ts'
import { Namespace, Part } from './jinja-values.ts'
import { textOf } from './python-text.ts'
import { type Expression, type Fragment, isTrue, itemsOf, Scope, type Traced } from './scope.ts'

type Render = (scope: Scope, out: Fragment[]) => void
type Tag = Extract<Piece, { kind: 'print' | 'block' }>

/** A template that was read. */
export interface JinjaTemplate {
  /** Writes the text. The texts of chat blocks go to the run. */
  readonly render: Render
  /** The names of the variables that it reads, in order of occurrence. */
  readonly names: readonly string[]
  /** The names that are printed, or repeated by a loop, wherever they do not depend on a condition. */
  readonly required: readonly string[]
}

const roles = ['system', 'user', 'assistant']
const known = ['for', 'if', 'set', 'raw', 'chat']
const maxDepth = 60

/** Reads a template. @throws {TemplateSyntaxError} with the position. */
export function readJinja(template: string): JinjaTemplate {
  const reader = new TemplateReader(normalized(template))
  const render = reader.body([])
  return { render, names: [...reader.names], required: [...reader.required] }
}

class TemplateReader {
  readonly names = new Set<string>()
  readonly required = new Set<string>()
  readonly #source: string
  readonly #pieces: readonly Piece[]
  #index = 0
  /** The names that loops and assignments define, innermost last. */
  readonly #defined: Set<string>[] = [new Set()]
  #conditions = 0
  #inChat = false

  constructor(source: string) {
    this.#source = source
    this.#pieces = lex(source)
  }

  /** Reads up to a tag with one of these names, which becomes the current piece; without names, to the end. */
  body(ends: readonly string[], opened?: Tag): Render {
    if (this.#defined.length > maxDepth || this.#conditions > maxDepth)
      throw syntaxError(
        this.#source,
        opened!.start,
        'Blocks that are nested too deeply',
        `Nest at most ${maxDepth} blocks.`,
      )
    const parts: Render[] = []
    for (; this.#index < this.#pieces.length; this.#index++) {
      const piece = this.#pieces[this.#index]!
      if (piece.kind === 'text') {
        const { text, start: templateStart, end: templateEnd } = piece
        const span = { source: 'template', templateStart, templateEnd } as const
        parts.push((_scope, out) => {
          out.push({ text, span })
        })
      } else if (piece.kind === 'print') parts.push(this.#print(piece))
      else if (ends.includes(piece.tokens[0]!.value)) return inOrder(parts)
      else parts.push(this.#block(piece))
    }
    if (opened)
      throw syntaxError(
        this.#source,
        opened.start,
        'A block that is never closed',
        `Close it with {% ${ends.at(-1)} %}.`,
      )
    return inOrder(parts)
  }

  #reader({ tokens }: Tag): ExpressionReader {
    return new ExpressionReader(this.#source, tokens, (name) => {
      if (!this.#isDefined(name)) this.names.add(name)
    })
  }

  #isDefined(name: string): boolean {
    return this.#defined.some((names) => names.has(name))
  }

  #require({ needs }: Expression): void {
    if (needs !== null && this.#conditions === 0 && !this.#isDefined(needs)) this.required.add(needs)
  }

  #print(piece: Tag): Render {
    const reader = this.#reader(piece)
    const expression = reader.expression()
    reader.end()
    this.#require(expression)
    const { start: templateStart, end: templateEnd } = piece
    return (scope, out) => {
      const [value, path] = expression.read(scope)
      scope.need(value)
      if (value instanceof Part) {
        out.push({ part: value.part })
        return
      }
      const variable = path?.match(/^[^.[]*/)?.[0]
      out.push({
        text: textOf(value),
        span: path
          ? { source: 'variable', variable: variable!, ...(path !== variable && { path }), templateStart, templateEnd }
          : { source: 'template', templateStart, templateEnd },
      })
    }
  }

  #block(piece: Tag): Render {
    const reader = this.#reader(piece)
    const name = reader.name()
    this.#index++
    if (name === 'if') return this.#if(reader, piece)
    if (name === 'for') return this.#for(reader, piece)
    if (name === 'set') return this.#set(reader, piece)
    if (name === 'chat') return this.#chat(reader, piece)
    const hint = `Known: ${known.join(', ')}. Macros, imports, and blocks that call a model are not read.`
    throw syntaxError(this.#source, piece.start, `The tag "${name.slice(0, 40)}" cannot be here`, hint)
  }

  /** Reads the body of a block. The current piece is then the tag that ends it. */
  #inside(
    opened: Tag,
    ends: readonly string[],
    defined: readonly string[] | null,
  ): [body: Render, end: ExpressionReader, name: string] {
    if (defined) this.#defined.push(new Set(defined))
    const body = this.body(ends, opened)
    if (defined) this.#defined.pop()
    const end = this.#reader(this.#pieces[this.#index] as Tag)
    return [body, end, end.name()]
  }

  #if(reader: ExpressionReader, opened: Tag): Render {
    const branches: [test: Expression | null, body: Render][] = []
    let test: Expression | null = reader.expression()
    reader.end()
    this.#conditions++
    for (let open = true; open; ) {
      const ends = test ? ['elif', 'else', 'endif'] : ['endif']
      const [body, end, name] = this.#inside(opened, ends, null)
      branches.push([test, body])
      test = name === 'elif' ? end.expression() : null
      end.end()
      open = name !== 'endif'
      if (open) this.#index++
    }
    this.#conditions--
    return (scope, out) => branches.find(([when]) => when === null || isTrue(when.read(scope)[0]))?.[1](scope, out)
  }

  #for(reader: ExpressionReader, opened: Tag): Render {
    const targets = [reader.name()]
    while (reader.skip(',')) targets.push(reader.name())
    reader.expect('in')
    const items = reader.iterable()
    this.#require(items)
    this.#defined.push(new Set([...targets, 'loop']))
    const test = reader.skip('if') ? reader.iterable() : null
    this.#defined.pop()
    reader.end()
    const [body, , name] = this.#inside(opened, ['else', 'endfor'], [...targets, 'loop'])
    let otherwise: Render | null = null
    if (name === 'else') {
      this.#index++
      ;[otherwise] = this.#inside(opened, ['endfor'], [])
    }
    return (scope, out) => {
      const [list, place] = items.read(scope)
      const all = itemsOf(scope.need(list)).map((item, index): Traced => [item, place && `${place}[${index}]`])
      const rounds = test ? all.filter((item) => isTrue(test.read(roundOf(scope, targets, item))[0])) : all
      for (const [index, item] of rounds.entries()) {
        const inner = roundOf(scope, targets, item)
        inner.set('loop', loopAt(index, rounds))
        body(inner, out)
      }
      if (rounds.length === 0) otherwise?.(scope, out)
    }
  }

  #set(reader: ExpressionReader, opened: Tag): Render {
    const name = reader.name()
    const field = reader.skip('.') ? reader.name() : null
    const isBlock = !reader.skip('=')
    let read: Expression['read']
    if (isBlock) {
      reader.end()
      const [body] = this.#inside(opened, ['endset'], [])
      read = (scope) => {
        const inner: Fragment[] = []
        body(scope, inner)
        return [inner.map((piece) => ('text' in piece ? piece.text : `${new Part(piece.part)}`)).join(''), null]
      }
    } else {
      ;({ read } = reader.expression())
      reader.end()
      // The tag has no body: the piece behind it is next.
      this.#index--
    }
    if (field === null) this.#defined.at(-1)!.add(name)
    return (scope) => {
      if (field === null) scope.set(name, ...read(scope))
      else {
        const [namespace] = scope.read(name)
        if (namespace instanceof Namespace) namespace.values[field] = read(scope)[0]
        else
          throw new NotSupportedError(`RichPromptTemplate: {% set ${name}.${field} %}: ${name} is not a namespace().`)
      }
    }
  }

  #chat(reader: ExpressionReader, opened: Tag): Render {
    const isRole = reader.skip('role') && reader.skip('=') && reader.current.kind === 'string'
    const role = isRole ? reader.next().value.slice(1, -1) : ''
    if (!roles.includes(role))
      throw reader.error('A chat block without a role', `Write {% chat role="user" %}; roles: ${roles.join(', ')}.`)
    reader.end()
    if (this.#inChat)
      throw syntaxError(this.#source, opened.start, 'A chat block in a chat block', 'Close the first one before.')
    this.#inChat = true
    const [body] = this.#inside(opened, ['endchat'], [])
    this.#inChat = false
    return (scope) => {
      const fragments: Fragment[] = []
      body(new Scope(scope.run, scope), fragments)
      scope.run.chats.push({ role, fragments })
    }
  }
}

const inOrder =
  (parts: readonly Render[]): Render =>
  (scope, out) => {
    for (const part of parts) part(scope, out)
  }

/** Returns the scope of a round of a loop. */
function roundOf(scope: Scope, targets: readonly string[], [item, place]: Traced): Scope {
  scope.count()
  const inner = new Scope(scope.run, scope)
  if (targets.length === 1) inner.set(targets[0]!, item, place)
  else
    for (const [index, target] of targets.entries())
      inner.set(target, itemsOf(item)[index] ?? null, place && `${place}[${index}]`)
  return inner
}

/** Returns the value of `loop` in a round. */
function loopAt(index0: number, rounds: readonly Traced[]) {
  const { length } = rounds
  return {
    index: index0 + 1,
    index0,
    revindex: length - index0,
    revindex0: length - index0 - 1,
    first: index0 === 0,
    last: index0 === length - 1,
    length,
    previtem: rounds[index0 - 1]?.[0],
    nextitem: rounds[index0 + 1]?.[0],
  }
}
