/**
 * @module
 * Reads a Jinja template as a function that writes its text.
 */
import { NotSupportedError } from '@x/core-model'
import { type Expression, ExpressionReader } from './jinja-expression.ts'
import type { Token } from './jinja-lexer.ts'
import { Namespace, Part } from './jinja-values.ts'
import { refuse, textOf } from './python-text.ts'
import { countRound, type Fragment, isTrue, itemsOf, need, read, type Scope, scopeIn, type Traced } from './scope.ts'

type Render = (scope: Scope, out: Fragment[]) => void

/** A template that was read. */
export interface JinjaTemplate {
  /** Writes the text. That of chat blocks goes to the run. */
  readonly render: Render
  /** The names of the variables that it reads, in order of occurrence. */
  readonly names: readonly string[]
  /** The names that are printed, or repeated by a loop, wherever they do not depend on a condition. */
  readonly required: readonly string[]
}

const roles = ['system', 'user', 'assistant']

/** Reads a template. @throws {TemplateSyntaxError} with the position. */
export function readJinja(template: string): JinjaTemplate {
  const reader = new TemplateReader(template)
  const [render] = reader.body(null, [])
  return { render, names: [...reader.names], required: [...reader.required] }
}

class TemplateReader extends ExpressionReader {
  readonly names = new Set<string>()
  readonly required = new Set<string>()
  /** The names that loops and assignments define around the current place. */
  #defined: Record<string, true> = Object.create(null)
  /** How many loops and blocks are around the current place. */
  #frames = 0
  /** The variables that were read in loops and blocks alone. */
  readonly #inside = new Set<string>()
  #conditions = 0
  #inChat = false

  protected override onName(name: string): void {
    if (this.#defined[name]) return
    // Python reads such a name as undefined if it is assigned outside of the loop or block later.
    if (this.#frames > 0 && !this.names.has(name)) this.#inside.add(name)
    if (this.#frames === 0) this.#inside.delete(name)
    this.names.add(name)
  }

  #require({ needs }: Expression): void {
    if (needs !== null && this.#conditions === 0 && !this.#defined[needs]) this.required.add(needs)
  }

  /** Reads something inside of which these names are defined. */
  #defining<T>(names: readonly string[], inside: () => T): T {
    const outer = this.#defined
    this.#defined = Object.create(outer)
    for (const name of names) this.#defined[name] = true
    this.#frames++
    const result = inside()
    this.#frames--
    this.#defined = outer
    return result
  }

  /** Reads up to a tag with one of these names, which is returned, or to the end. */
  body(opened: Token | null, ends: readonly string[]): [render: Render, end: string] {
    const parts: Render[] = []
    const render: Render = (scope, out) => {
      for (const part of parts) part(scope, out)
    }
    return this.nested('A block that is', opened?.at ?? 0, () => {
      while (this.index < this.tokens.length) {
        const token = this.tokens[this.index++]!
        const { value, at: templateStart, end: templateEnd } = token
        if (token.kind === 'text') {
          const fragment = { text: value, span: { source: 'template', templateStart, templateEnd } } as const
          parts.push((_, out) => out.push(fragment))
        } else if (value === '{{') parts.push(this.#print(token))
        else {
          const name = this.name()
          if (ends.includes(name)) return [render, name]
          parts.push(this.#block(name, token))
        }
      }
      if (!opened) return [render, '']
      throw this.error('A block that is never closed', `Close it with {% ${ends.at(-1)} %}.`, opened.at)
    })
  }

  /** Reads the body of a block with one end. */
  #only(opened: Token, end: string, names: readonly string[] = []): Render {
    const [body] = this.#defining(names, () => this.body(opened, [end]))
    this.end()
    return body
  }

  #print({ at: templateStart }: Token): Render {
    const expression = this.expression()
    this.#require(expression)
    this.end()
    const place = { templateStart, templateEnd: this.tokens[this.index - 1]!.end }
    return (scope, out) => {
      const [value, path] = expression.read(scope)
      const text = this.run('the value', templateStart, scope, [], () => textOf(need(value, scope)))
      const variable = path?.match(/^[^.[]*/)?.[0]
      if (value instanceof Part) out.push({ text, span: { source: 'template' }, part: value.part })
      else if (!path || !variable) out.push({ text, span: { source: 'template', ...place } })
      else out.push({ text, span: { source: 'variable', variable, ...(path !== variable && { path }), ...place } })
    }
  }

  #block(name: string, opened: Token): Render {
    if (name === 'if') return this.#if(opened)
    if (name === 'for') return this.#for(opened)
    if (name === 'set') return this.#set(opened)
    if (name === 'chat') return this.#chat(opened)
    const hint = 'Known: for, if, set, raw, chat. Macros, imports, and blocks that call a model are not read.'
    throw this.error(`The tag "${name.slice(0, 40)}" cannot be here`, hint, opened.at)
  }

  #if(opened: Token): Render {
    const branches: [test: Expression | null, body: Render][] = []
    this.#conditions++
    for (let name = 'if'; name !== 'endif'; ) {
      const test = name === 'else' ? null : this.operation()
      this.end()
      const [body, next] = this.body(opened, test ? ['elif', 'else', 'endif'] : ['endif'])
      branches.push([test, body])
      name = next
    }
    this.end()
    this.#conditions--
    return (scope, out) => branches.find(([test]) => !test || isTrue(test.read(scope)[0]))?.[1](scope, out)
  }

  #for(opened: Token): Render {
    const targets = [this.name()]
    while (this.skip(',')) targets.push(this.name())
    this.expect('in')
    const items = this.operation()
    this.#require(items)
    const [test, body, end] = this.#defining([...targets, 'loop'], () => {
      const when = this.skip('if') ? this.operation() : null
      this.end()
      return [when, ...this.body(opened, ['else', 'endfor'])]
    })
    this.end()
    const otherwise = end === 'else' ? this.#only(opened, 'endfor') : null
    return (scope, out) => {
      const [list, place] = items.read(scope)
      const inLoop = <T>(work: () => T): T => this.run('the loop', opened.at, scope, [], work)
      const listed = inLoop(() => itemsOf(need(list, scope)))
      const all = listed.map((item, index): Traced => [item, place && `${place}[${index}]`])
      const round = (item: Traced) => inLoop(() => roundOf(scope, targets, item))
      const rounds = test ? all.filter((item) => isTrue(test.read(round(item))[0])) : all
      for (const [index, item] of rounds.entries()) {
        const inner = round(item)
        inner.names['loop'] = [loopAt(index, rounds), null]
        body(inner, out)
      }
      if (rounds.length === 0) otherwise?.(scope, out)
    }
  }

  #set(opened: Token): Render {
    const name = this.name()
    const field = this.skip('.') ? this.name() : null
    const value = this.skip('=') ? this.expression() : null
    this.end()
    const body = value ? null : this.#only(opened, 'endset')
    if (field === null && this.#frames === 0 && this.#inside.has(name))
      throw this.error(`The name ${name} is read in a block before it is set`, 'Choose another name.', opened.at)
    if (field === null) this.#defined[name] = true
    return (scope) => {
      const inner: Fragment[] = []
      body?.(scopeIn(scope), inner)
      const traced: Traced = value?.read(scope) ?? [inner.map(({ text }) => text).join(''), null]
      if (field === null) {
        scope.names[name] = traced
        return
      }
      const [namespace] = read(scope, name)
      if (namespace instanceof Namespace) namespace.set(field, traced[0])
      else throw new NotSupportedError(`RichPromptTemplate: {% set ${name}.${field} %}: ${name} is not a namespace().`)
    }
  }

  #chat(opened: Token): Render {
    const isRole = this.skip('role') && this.skip('=') && this.current.kind === 'string'
    const role = isRole ? this.token('string', '').slice(1, -1) : ''
    if (!roles.includes(role))
      throw this.error('A chat block without a role', `Write {% chat role="user" %}; roles: ${roles.join(', ')}.`)
    this.end()
    if (this.#inChat) throw this.error('A chat block in a chat block', 'Close the first one before.', opened.at)
    this.#inChat = true
    const body = this.#only(opened, 'endchat')
    this.#inChat = false
    return (scope) => {
      const fragments: Fragment[] = []
      body(scopeIn(scope), fragments)
      scope.run.chats.push({ role, fragments })
    }
  }
}

/** Returns the scope of a round of a loop. */
function roundOf(scope: Scope, targets: readonly string[], [item, place]: Traced): Scope {
  countRound(scope)
  const inner = scopeIn(scope)
  if (targets.length === 1) inner.names[targets[0]!] = [item, place]
  else {
    const items = itemsOf(item)
    if (items.length !== targets.length) refuse(`: expected ${targets.length} values, received ${items.length}`)
    for (const [index, target] of targets.entries()) inner.names[target] = [items[index], place && `${place}[${index}]`]
  }
  return inner
}

/** The value of `loop`. */
class Loop {
  toString(): string {
    return refuse(' loop has no text')
  }
}

/** Returns the value of `loop` in a round. */
function loopAt(index0: number, rounds: readonly Traced[]) {
  const { length } = rounds
  return Object.assign(new Loop(), {
    index: index0 + 1,
    index0,
    revindex: length - index0,
    revindex0: length - index0 - 1,
    first: index0 === 0,
    last: index0 === length - 1,
    length,
    previtem: rounds[index0 - 1]?.[0],
    nextitem: rounds[index0 + 1]?.[0],
    // Those of Jinja are larger in recursive loops alone.
    depth: 1,
    depth0: 0,
  })
}
