/**
 * @module
 * Reads the expressions of a Jinja template as functions of a scope. Names, literals, look-ups, operators, filters and tests: no code of
 * the template is executed.
 */

import { syntaxError, type Token } from './jinja-lexer.ts'
import { arithmetic, compare, slice, unquote } from './jinja-operators.ts'
import { callMethod, type Filter, filters, globals, lookUp, tests } from './jinja-values.ts'
import { textOf, Undefined } from './python-text.ts'
import { isTrue, type Scope } from './scope.ts'

/** A readable expression. */
export interface Expression {
  evaluate(scope: Scope): unknown
  /** The variable that the value comes from, if it is one with look-ups and filters; null otherwise. */
  readonly variable: string | null
  /** The place of the value in its variable, such as `nodes[2].text`. */
  place(scope: Scope): string | null
  /** Whether a missing variable is expected. */
  readonly allowsMissing: boolean
}

type Evaluate = (scope: Scope) => unknown
/** The arguments of a filter, test or method. */
type Arguments = (scope: Scope) => [values: unknown[], named: Record<string, unknown>]

const nothing = () => null
const plain = (evaluate: Evaluate): Expression => ({ evaluate, variable: null, place: nothing, allowsMissing: false })

/** Operators of equal rank, lowest first. `~` joins texts. */
const ranks: readonly (readonly string[])[] = [['+', '-'], ['~'], ['*', '/', '//', '%']]
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
    const { kind, value } = this.current
    if (kind !== 'name') throw this.error('Expected a name')
    this.#index++
    return value
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
    let result = this.#or()
    if (this.skip('if')) {
      const [then, test] = [result, this.#or()]
      const otherwise = this.skip('else') ? this.expression() : plain(() => new Undefined(null))
      const chosen = (scope: Scope) => (isTrue(test.evaluate(scope)) ? then : otherwise)
      result = {
        evaluate: (scope) => chosen(scope).evaluate(scope),
        variable: then.variable,
        place: (scope) => chosen(scope).place(scope),
        allowsMissing: true,
      }
    }
    this.#depth--
    return result
  }

  /** Reads an expression without a condition, as in `for x in items if x`. */
  iterable(): Expression {
    return this.#or()
  }

  #chain(operator: string, operand: () => Expression, combine: (values: Evaluate[]) => Evaluate): Expression {
    const first = operand()
    if (!this.is(operator)) return first
    const all = [first]
    while (this.skip(operator)) all.push(operand())
    const { variable, place } = first
    return { evaluate: combine(all.map(({ evaluate }) => evaluate)), variable, place, allowsMissing: true }
  }

  #or(): Expression {
    const and = () =>
      this.#chain(
        'and',
        () => this.#not(),
        (values) => (scope) => lastOf(values, scope, (value) => !isTrue(value)),
      )
    return this.#chain('or', and, (values) => (scope) => lastOf(values, scope, isTrue))
  }

  #not(): Expression {
    let negations = 0
    while (this.skip('not')) negations++
    const inner = this.#comparison()
    return negations === 0
      ? inner
      : { ...plain((scope) => isTrue(inner.evaluate(scope)) === (negations % 2 === 0)), allowsMissing: true }
  }

  #comparison(): Expression {
    const first = this.#binary(0)
    const rest: [operator: string, operand: Evaluate][] = []
    for (;;) {
      let operator = this.current.kind === 'string' ? '' : this.current.value
      if (operator === 'not' && this.#tokens[this.#index + 1]?.value === 'in') {
        this.#index++
        operator = 'not in'
      }
      if (!Object.hasOwn(compare, operator)) break
      this.#index++
      rest.push([operator, this.#binary(0).evaluate])
    }
    if (rest.length === 0) return first
    const evaluate: Evaluate = (scope) => {
      let left = first.evaluate(scope)
      for (const [operator, operand] of rest) {
        const right = operand(scope)
        if (!compare[operator]!(left, right)) return false
        left = right
      }
      return true
    }
    return { ...plain(evaluate), allowsMissing: true }
  }

  #binary(rank: number): Expression {
    const operators = ranks[rank]
    if (!operators) return this.#power()
    const first = this.#binary(rank + 1)
    const rest: [operator: string, operand: Evaluate][] = []
    while (this.is(...operators)) rest.push([this.next().value, this.#binary(rank + 1).evaluate])
    if (rest.length === 0) return first
    const evaluate: Evaluate = (scope) => {
      const values = [first.evaluate(scope), ...rest.map(([, operand]) => operand(scope))].map((value) =>
        scope.need(value),
      )
      if (rank === 1) return values.map((value) => textOf(value)).join('')
      return values.reduce((left, right, index) => arithmetic[rest[index - 1]![0]]!(left, right))
    }
    return { ...plain(evaluate), variable: first.variable, place: first.place }
  }

  #power(): Expression {
    const base = this.#unary()
    if (!this.skip('**')) return base
    const exponent = this.#unary()
    return plain((scope) => arithmetic['**']!(base.evaluate(scope), exponent.evaluate(scope)))
  }

  #unary(): Expression {
    let negative = false
    let signs = 0
    for (; this.is('-', '+') && this.current.kind === 'operator'; signs++)
      if (this.next().value === '-') negative = !negative
    const operand = this.#postfix(this.#primary())
    return this.#filtered(
      signs === 0 ? operand : plain((scope) => Number(operand.evaluate(scope)) * (negative ? -1 : 1)),
    )
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
      if (this.skip(')')) return plain(() => [])
      const inner = this.expression()
      if (!this.is(',')) {
        this.expect(')')
        return inner
      }
      const items = [inner.evaluate]
      while (this.skip(',')) if (!this.is(')')) items.push(this.expression().evaluate)
      this.expect(')')
      return plain((scope) => items.map((item) => item(scope)))
    }
    if (value === '[') {
      const items = this.#list(']', () => this.expression().evaluate)
      return plain((scope) => items.map((item) => item(scope)))
    }
    if (value === '{') {
      const items = this.#list('}', () => {
        const key = this.expression().evaluate
        this.expect(':')
        return [key, this.expression().evaluate] as const
      })
      return plain((scope) => Object.fromEntries(items.map(([key, item]) => [textOf(key(scope)), item(scope)])))
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
    if (/^[tT]rue$/.test(name)) return plain(() => true)
    if (/^[fF]alse$/.test(name)) return plain(() => false)
    if (/^[nN]one$/.test(name)) return plain(nothing)
    const make = Object.hasOwn(globals, name) && this.is('(') ? globals[name] : undefined
    if (make) {
      this.expect('(')
      const given = this.#arguments()
      return plain((scope) => make(scope, ...given(scope)))
    }
    this.#onName(name)
    return {
      evaluate: (scope) => scope.get(name),
      variable: name,
      place: (scope) => scope.placeOf(name),
      allowsMissing: false,
    }
  }

  /** Reads the look-ups and method calls behind a value. */
  #postfix(base: Expression): Expression {
    const steps: ((value: unknown, scope: Scope) => unknown)[] = []
    const places: ((scope: Scope) => string)[] = []
    for (;;) {
      if (this.skip('.')) {
        const key = this.current.kind === 'number' ? this.next().value : this.name()
        if (this.skip('(')) {
          const given = this.#arguments()
          steps.push((value, scope) => callMethod(scope.need(value), key, ...given(scope)))
        } else steps.push((value, scope) => lookUp(scope.need(value), key))
        places.push(() => `.${key}`)
      } else if (this.skip('[')) {
        const from = this.is(':') ? undefined : this.expression().evaluate
        if (this.skip(':')) {
          const to = this.is(']') ? undefined : this.expression().evaluate
          steps.push((value, scope) => slice(scope.need(value), from?.(scope), to?.(scope)))
        } else steps.push((value, scope) => lookUp(scope.need(value), from!(scope) as string | number))
        places.push((scope) => (from ? `[${textOf(from(scope))}]` : '[:]'))
        this.expect(']')
      } else if (this.is('(')) throw this.error('Only methods of texts, arrays and objects can be called')
      else break
    }
    if (steps.length === 0) return base
    return {
      evaluate: (scope) => steps.reduce((value, step) => step(value, scope), base.evaluate(scope)),
      variable: base.variable,
      place: (scope) => {
        const place = base.place(scope)
        return place === null ? null : places.reduce((path, step) => path + step(scope), place)
      },
      allowsMissing: base.allowsMissing,
    }
  }

  /** Reads the filters and tests behind a value. */
  #filtered(base: Expression): Expression {
    const steps: ((value: unknown, scope: Scope) => unknown)[] = []
    let allowsMissing = base.allowsMissing
    for (;;) {
      if (this.skip('|')) {
        const name = this.name()
        const filter = this.#known<Filter>(filters, name, 'filter')
        const given = this.skip('(') ? this.#arguments() : noArguments
        const isDefault = name === 'default' || name === 'd'
        if (steps.length === 0) allowsMissing ||= isDefault
        steps.push((value, scope) => filter(isDefault ? value : scope.need(value), ...given(scope)))
      } else if (this.skip('is')) {
        const negated = this.skip('not')
        const test = this.#known(tests, this.name(), 'test')
        const operand = this.skip('(') ? this.#arguments() : this.#bareArgument()
        allowsMissing = true
        steps.push((value, scope) => test(value, ...operand(scope)[0]) !== negated)
      } else break
    }
    if (steps.length === 0) return base
    const evaluate: Evaluate = (scope) => steps.reduce((value, step) => step(value, scope), base.evaluate(scope))
    return { evaluate, variable: base.variable, place: base.place, allowsMissing }
  }

  /** Reads the argument of a test without parentheses, as in `is divisibleby 3`. */
  #bareArgument(): Arguments {
    const { kind, value } = this.current
    const isSign = kind === 'operator' && value !== '[' && value !== '{'
    if (kind === 'end' || isSign || this.is('and', 'or', 'not', 'if', 'else', 'is', 'in')) return noArguments
    const operand = this.#postfix(this.#primary()).evaluate
    return (scope) => [[operand(scope)], {}]
  }

  #known<T>(all: Readonly<Record<string, T>>, name: string, kind: string): T {
    if (Object.hasOwn(all, name)) return all[name]!
    this.#index--
    throw this.error(`An unknown ${kind}`, `Known: ${Object.keys(all).sort().join(', ')}.`)
  }

  #arguments(): Arguments {
    const values: Evaluate[] = []
    const named: [name: string, value: Evaluate][] = []
    this.#list(')', () => {
      if (this.current.kind === 'name' && this.#tokens[this.#index + 1]?.value === '=') {
        const name = this.name()
        this.expect('=')
        named.push([name, this.expression().evaluate])
      } else values.push(this.expression().evaluate)
    })
    return (scope) => [
      values.map((value) => value(scope)),
      Object.fromEntries(named.map(([name, value]) => [name, value(scope)])),
    ]
  }
}

const noArguments: Arguments = () => [[], {}]

/** Returns the first value for which `stops` is true, otherwise the last value. */
function lastOf(values: readonly Evaluate[], scope: Scope, stops: (value: unknown) => boolean): unknown {
  let value: unknown
  for (const evaluate of values) if (stops((value = evaluate(scope)))) break
  return value
}
