/**
 * @module
 * Reads the expressions of a Jinja template as functions of a scope. Names, literals, look-ups, operators, filters and tests: no code of
 * the template is executed.
 */

import { syntaxError, type Token } from './jinja-lexer.ts'
import { negation, ranks, slice, unquote } from './jinja-operators.ts'
import { callMethod, filters, globals, lookUp, tests } from './jinja-values.ts'
import { textOf, Undefined } from './python-text.ts'
import { type Expression, isTrue, type Scope, type Traced } from './scope.ts'

/** The arguments of a filter, test or method. */
type Arguments = (scope: Scope) => [values: unknown[], named: Record<string, unknown>]
type Step = (value: unknown, scope: Scope, place: string | null) => Traced

const plain = (valueIn: (scope: Scope) => unknown): Expression => ({
  read: (scope) => [valueIn(scope), null],
  needs: null,
})
const isDefault = (name: string) => name === 'default' || name === 'd'
const maxDepth = 60

/** Reads the tokens of one tag. `onName` reports each name that is read as a variable. */
export class ExpressionReader {
  #index = 0
  #depth = 0
  readonly #tokens: readonly Token[]
  readonly #source: string
  readonly #onName: (name: string) => void

  constructor(source: string, tokens: readonly Token[], onName: (name: string) => void) {
    this.#source = source
    this.#tokens = tokens
    this.#onName = onName
  }

  get current(): Token {
    return this.#tokens[this.#index]!
  }

  /** Whether the current token is one of these. */
  is(...values: string[]): boolean {
    return this.current.kind !== 'string' && values.includes(this.current.value)
  }

  /** Skips the current token if it is this one. */
  skip(value: string): boolean {
    if (this.current.kind === 'end' || !this.is(value)) return false
    this.#index++
    return true
  }

  expect(value: string): void {
    if (!this.skip(value)) throw this.error(`Expected ${value}`)
  }

  next(): Token {
    if (this.current.kind === 'end') throw this.error('The tag ends too early')
    return this.#tokens[this.#index++]!
  }

  name(): string {
    if (this.current.kind !== 'name') throw this.error('Expected a name')
    return this.next().value
  }

  /** Throws unless all tokens are read. */
  end(): void {
    if (this.current.kind !== 'end') throw this.error('Unexpected text in a tag')
  }

  error(problem: string, hint = 'See the part of Jinja that RichPromptTemplate reads.'): Error {
    return syntaxError(this.#source, this.current.at, problem, hint)
  }

  expression(): Expression {
    if (++this.#depth > maxDepth) throw this.error('An expression that is nested too deeply')
    let result = this.iterable()
    if (this.skip('if')) {
      const [then, test] = [result, this.iterable()]
      const otherwise = this.skip('else') ? this.expression() : plain(() => new Undefined(null))
      result = { read: (scope) => (isTrue(test.read(scope)[0]) ? then : otherwise).read(scope), needs: null }
    }
    this.#depth--
    return result
  }

  /** Reads an expression without a condition, as in `for x in items if x`: operands of a rank, joined by its operators. */
  iterable(rank = 0): Expression {
    if (rank === ranks.length) return this.#unary()
    const { combine, mayMiss } = ranks[rank]!
    let negations = 0
    while (rank === negation && this.skip('not')) negations++
    const first = this.iterable(rank + 1)
    const rest: [operator: string, operand: Expression][] = []
    for (let operator = this.#operator(rank); operator !== null; operator = this.#operator(rank))
      rest.push([operator, this.iterable(rank + 1)])
    if (rest.length + negations === 0) return first
    const read: Expression['read'] = (scope) => (rest.length > 0 ? combine(first, rest, scope) : first.read(scope))
    if (negations === 0) return { read, needs: mayMiss ? null : first.needs }
    return plain((scope) => isTrue(read(scope)[0]) === (negations % 2 === 0))
  }

  /** Skips an operator of a rank. */
  #operator(rank: number): string | null {
    const isNegated = this.is('not') && this.#tokens[this.#index + 1]?.value === 'in'
    const operator = isNegated ? 'not in' : this.current.value
    if (this.current.kind === 'string' || !ranks[rank]!.operators.includes(operator)) return null
    this.#index += isNegated ? 2 : 1
    return operator
  }

  #unary(): Expression {
    let sign = 1
    const isSigned = this.is('-', '+')
    while (this.is('-', '+')) if (this.next().value === '-') sign = -sign
    const operand = this.#postfix(this.#primary())
    return this.#filtered(isSigned ? plain((scope) => Number(operand.read(scope)[0]) * sign) : operand)
  }

  #primary(): Expression {
    const { kind, value } = this.next()
    if (kind === 'number') return plain(() => Number(value))
    if (kind === 'string') {
      let text = unquote(value)
      while (this.current.kind === 'string') text += unquote(this.next().value)
      return plain(() => text)
    }
    if (kind === 'name') return this.#named(value)
    if (value === '(') {
      const inner = this.skip(')') ? null : this.expression()
      if (inner && !this.is(',')) {
        this.expect(')')
        return inner
      }
      const others = inner && this.skip(',') ? this.#list(')', () => this.expression()) : []
      return plain((scope) => [...(inner ? [inner] : []), ...others].map((item) => item.read(scope)[0]))
    }
    if (value === '[') {
      const items = this.#list(']', () => this.expression())
      return plain((scope) => items.map((item) => item.read(scope)[0]))
    }
    if (value === '{') {
      const items = this.#list('}', () => {
        const key = this.expression()
        this.expect(':')
        return [key, this.expression()] as const
      })
      return plain((scope) =>
        Object.fromEntries(items.map(([key, item]) => [textOf(key.read(scope)[0]), item.read(scope)[0]])),
      )
    }
    this.#index--
    throw this.error('Expected a value')
  }

  #list<T>(close: string, item: () => T): T[] {
    const items: T[] = []
    while (!this.skip(close)) {
      items.push(item())
      if (!this.is(close)) this.expect(',')
    }
    return items
  }

  #named(name: string): Expression {
    const constant = /^(?:([tT]rue)|([fF]alse)|[nN]one)$/.exec(name)
    if (constant) return plain(() => (constant[1] ? true : constant[2] ? false : null))
    const make = Object.hasOwn(globals, name) && this.skip('(') ? globals[name] : undefined
    if (make) {
      const given = this.#arguments()
      return plain((scope) => make(...given(scope)))
    }
    this.#onName(name)
    return { read: (scope) => scope.read(name), needs: name }
  }

  #then(base: Expression, steps: readonly Step[], needs: string | null): Expression {
    if (steps.length === 0) return base
    const read: Expression['read'] = (scope) =>
      steps.reduce(([value, place], step) => step(value, scope, place), base.read(scope))
    return { read, needs }
  }

  /** Reads the look-ups and method calls behind a value. */
  #postfix(base: Expression): Expression {
    const steps: Step[] = []
    for (;;) {
      if (this.skip('.')) {
        const key = this.current.kind === 'number' ? this.next().value : this.name()
        const given = this.skip('(') ? this.#arguments() : null
        steps.push((value, scope, place) => {
          const owner = scope.need(value)
          return [given ? callMethod(owner, key, ...given(scope)) : lookUp(owner, key), place && `${place}.${key}`]
        })
      } else if (this.skip('[')) {
        const from = this.is(':') ? null : this.expression()
        const isSlice = this.skip(':')
        const to = isSlice && !this.is(']') ? this.expression() : null
        this.expect(']')
        steps.push((value, scope, place) => {
          const owner = scope.need(value)
          const key = from?.read(scope)[0]
          const found = isSlice ? slice(owner, key, to?.read(scope)[0]) : lookUp(owner, key as string | number)
          return [found, place && `${place}[${from ? textOf(key) : ':'}]`]
        })
      } else if (this.is('(')) throw this.error('Only methods of texts, arrays and objects can be called')
      else return this.#then(base, steps, base.needs)
    }
  }

  /** Reads the filters and tests behind a value. */
  #filtered(base: Expression): Expression {
    const steps: Step[] = []
    let { needs } = base
    for (;;) {
      if (this.skip('|')) {
        const name = this.name()
        const filter = this.#known(filters, name, 'filter')
        const given = this.skip('(') ? this.#arguments() : noArguments
        if (steps.length === 0 && isDefault(name)) needs = null
        steps.push((value, scope, place) => [
          filter(isDefault(name) ? value : scope.need(value), ...given(scope)),
          place,
        ])
      } else if (this.skip('is')) {
        const negated = this.skip('not')
        const test = this.#known(tests, this.name(), 'test')
        const operand = this.skip('(') ? this.#arguments() : this.#bareArgument()
        needs = null
        steps.push((value, scope, place) => [test(value, ...operand(scope)[0]) !== negated, place])
      } else return this.#then(base, steps, needs)
    }
  }

  /** Reads the argument of a test without parentheses, as in `is divisibleby 3`. */
  #bareArgument(): Arguments {
    const isSign = this.current.kind === 'operator' && !this.is('[', '{')
    if (isSign || this.current.kind === 'end' || this.is('and', 'or', 'not', 'if', 'else', 'is', 'in'))
      return noArguments
    const operand = this.#postfix(this.#primary())
    return (scope) => [[operand.read(scope)[0]], {}]
  }

  #known<T>(all: Readonly<Record<string, T>>, name: string, kind: string): T {
    if (Object.hasOwn(all, name)) return all[name]!
    this.#index--
    throw this.error(`An unknown ${kind}`, `Known: ${Object.keys(all).sort().join(', ')}.`)
  }

  #arguments(): Arguments {
    const all = this.#list(')', () => {
      const isNamed = this.current.kind === 'name' && this.#tokens[this.#index + 1]?.value === '='
      const name = isNamed ? this.name() : null
      if (isNamed) this.expect('=')
      return [name, this.expression()] as const
    })
    return (scope) => {
      const given = all.map(([name, item]) => [name, item.read(scope)[0]] as const)
      return [
        given.filter(([name]) => name === null).map(([, value]) => value),
        Object.fromEntries(given.filter(([name]) => name !== null)),
      ]
    }
  }
}

const noArguments: Arguments = () => [[], {}]
