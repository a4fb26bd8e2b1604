/**
 * @module
 * Reads the expressions of a Jinja template as functions of a scope. Names, literals, look-ups, operators, filters and tests: no code of
 * the template is executed.
 */

import { lex, normalized, syntaxError, type Token } from './jinja-lexer.ts'
import { operators, rank, slice } from './jinja-operators.ts'
import { type Callable, callMethod, filters, globals, lookUp, tests } from './jinja-values.ts'
import { type Operand, textOf, Undefined } from './python-text.ts'
import { isTrue, need, read, type Scope, type Traced } from './scope.ts'

/** An expression of a template that was read. */
export interface Expression {
  read(scope: Scope): Traced
  /** The variable that has to have a value; null if there is none, or if it may be missing. */
  readonly needs: string | null
}
/** An argument of a filter, test, method or function. */
type Argument = readonly [name: string | null, value: Expression]
/** Applies an operator to what is on its left. */
type Step = (left: Traced, scope: Scope) => Traced

const valueIn = (expression: Expression, scope: Scope): Operand => expression.read(scope)[0]
/** Returns an expression whose value has no place in a variable. */
const computed = (value: (scope: Scope) => unknown): Expression => ({
  read: (scope) => [value(scope), null],
  needs: null,
})
const nothing = computed(() => new Undefined(null))

/** Returns the step that calls a function with what is on its left. `inner`: what it adds to the place of the value. */
const called =
  (apply: Callable, given: readonly Argument[] = [], { inner = '', mayMiss = false } = {}): Step =>
  ([value, place], scope) => {
    const all = given.map(([name, argument]) => [name, valueIn(argument, scope)] as const)
    const named = Object.fromEntries(all.filter(([name]) => name !== null))
    const values = all.filter(([name]) => name === null).map(([, argument]) => argument)
    return [apply(mayMiss ? value : need(value, scope), values, named), place && place + inner]
  }

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\n': '' }
/** Returns the value of a quoted string. */
const unquote = (quoted: string) =>
  quoted
    .slice(1, -1)
    .replace(/\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([ntr\n])|[\\'"])/g, (found, four, two, letter) =>
      four || two ? String.fromCharCode(Number.parseInt(four ?? two, 16)) : (escapes[letter] ?? found.slice(1)),
    )

const constants: Readonly<Record<string, unknown>> = { true: true, false: false, none: null }
const isDefault = (name: string) => name === 'default' || name === 'd'
const maxDepth = 90

/** Reads the tokens of a template one after the other. */
export abstract class ExpressionReader {
  protected readonly source: string
  protected readonly tokens: readonly Token[]
  protected index = 0
  #depth = 0

  constructor(template: string) {
    this.source = normalized(template)
    this.tokens = lex(this.source)
  }

  /** Receives each name that is read as a variable. */
  protected abstract onName(name: string): void

  protected get current(): Token {
    return this.tokens[this.index]!
  }

  protected error(
    problem: string,
    hint = 'See the part of Jinja that RichPromptTemplate reads.',
    at = this.current.at,
  ) {
    return syntaxError(this.source, at, problem, hint)
  }

  /** Skips the current token if it is this one. */
  protected skip(value: string): boolean {
    const isValue = this.current.value === value
    if (isValue) this.index++
    return isValue
  }

  protected expect(value: string): void {
    if (!this.skip(value)) throw this.error(`Expected ${value}`)
  }

  /** Reads a token of a kind. */
  protected token(kind: Token['kind'] | null, problem: string): string {
    if (kind ? this.current.kind !== kind : this.current.kind === 'end') throw this.error(problem)
    return this.tokens[this.index++]!.value
  }

  protected name(): string {
    return this.token('name', 'Expected a name')
  }

  protected end(): void {
    this.token('end', 'Unexpected text in a tag')
  }

  /** Reads something that may contain itself. */
  protected nested<T>(what: string, at: number, inside: () => T): T {
    if (++this.#depth > maxDepth) throw this.error(`${what} nested too deeply`, `Nest at most ${maxDepth}.`, at)
    const result = inside()
    this.#depth--
    return result
  }

  protected expression(): Expression {
    const then = this.operation()
    if (!this.skip('if')) return then
    const test = this.operation()
    const otherwise = this.skip('else') ? this.expression() : nothing
    return { read: (scope) => (isTrue(valueIn(test, scope)) ? then : otherwise).read(scope), needs: null }
  }

  /** Reads an expression without a condition, as in `for x in items if x`: operators of this rank and above. */
  protected operation(lowest = rank.or): Expression {
    return this.nested('An expression that is', this.current.at, () => {
      const base = this.#operand()
      const steps: Step[] = []
      let { needs } = base
      for (let operator = this.#operator(lowest); operator; operator = this.#operator(lowest)) {
        const mayMiss = operators[operator]![0] <= rank.compare || operator === 'is'
        if (mayMiss || (operator === '|' && steps.length === 0 && isDefault(this.current.value))) needs = null
        steps.push(this.#step(operator))
      }
      if (steps.length === 0) return base
      return { read: (scope) => steps.reduce((left, step) => step(left, scope), base.read(scope)), needs }
    })
  }

  /** Skips an operator of this rank or above. */
  #operator(lowest: number): string | null {
    const isNegated = this.current.value === 'not' && this.tokens[this.index + 1]?.value === 'in'
    const operator = isNegated ? 'not in' : this.current.value
    if (!Object.hasOwn(operators, operator) || operators[operator]![0] < lowest) return null
    this.index += isNegated ? 2 : 1
    return operator
  }

  /** Reads what is behind an operator. */
  #step(operator: string): Step {
    const [ranked, apply] = operators[operator]!
    if (operator === '.') return this.#attribute()
    if (operator === '[') return this.#item()
    if (operator === '|') {
      const name = this.current.value
      const filter = this.#known(filters, 'filter')
      return called(filter, this.skip('(') ? this.#arguments() : [], { mayMiss: isDefault(name) })
    }
    if (operator === 'is') {
      const isNegated = this.skip('not')
      const test = this.#known(tests, 'test')
      const given = this.skip('(') ? this.#arguments() : this.#bareArgument()
      return called((value, values, named) => test(value, values, named) !== isNegated, given, { mayMiss: true })
    }
    if (operator === '(')
      throw this.error(
        'Only methods of strings, arrays and objects can be called',
        undefined,
        this.tokens[this.index - 1]!.at,
      )
    if (ranked === rank.compare) return this.#comparison(operator)
    const right = this.operation(ranked + 1)
    if (!apply) return (left, scope) => (isTrue(left[0]) === (operator === 'or') ? left : right.read(scope))
    return ([value, place], scope) => [apply(need(value, scope), need(valueIn(right, scope), scope)), place]
  }

  /** Reads the comparisons behind a value: `a < b < c` is true if both are. */
  #comparison(first: string): Step {
    const rest: (readonly [operator: string, operand: Expression])[] = []
    for (let operator: string | null = first; operator; operator = this.#operator(rank.compare))
      rest.push([operator, this.operation(rank.compare + 1)])
    return ([value], scope) => {
      let left: Operand = value
      return [rest.every(([name, operand]) => operators[name]![1]!(left, (left = valueIn(operand, scope)))), null]
    }
  }

  #attribute(): Step {
    const key = this.current.kind === 'number' ? this.token('number', '') : this.name()
    const inner = `.${key}`
    if (!this.skip('(')) return called((value) => lookUp(value, key), [], { inner })
    return called((value, given, named) => callMethod(value, key, given, named), this.#arguments(), { inner })
  }

  #item(): Step {
    const from = this.current.value === ':' ? null : this.expression()
    const isSlice = this.skip(':')
    const to = isSlice && this.current.value !== ']' ? this.expression() : null
    this.expect(']')
    return ([value, place], scope) => {
      const [start, end] = [from && valueIn(from, scope), to && valueIn(to, scope)]
      const owner = need(value, scope)
      return [isSlice ? slice(owner, start, end) : lookUp(owner, start), place && `${place}[${textOf(start ?? ':')}]`]
    }
  }

  /** Reads the argument of a test without parentheses, as in `is divisibleby 3`. */
  #bareArgument(): Argument[] {
    const { kind, value } = this.current
    const isOther = kind === 'operator' ? !'[{'.includes(value) : /^(?:and|or|not|if|else|is|in)$/.test(value)
    return kind === 'end' || isOther ? [] : [[null, this.operation(rank.lookUp)]]
  }

  #known(all: ReadonlyMap<string, Callable>, kind: string): Callable {
    const found = all.get(this.name())
    if (found) return found
    this.index--
    throw this.error(`An unknown ${kind}`, `Known: ${[...all.keys()].sort().join(', ')}.`)
  }

  /** Reads a value, or an operation behind `not` or a sign. */
  #operand(): Expression {
    const { kind, value } = this.current
    if (value === 'not' || value === '-' || value === '+') {
      this.index++
      const operand = this.operation(value === 'not' ? rank.compare : rank.lookUp)
      if (value === 'not') return computed((scope) => !isTrue(valueIn(operand, scope)))
      return computed((scope) => (value === '-' ? -valueIn(operand, scope) : +valueIn(operand, scope)))
    }
    this.token(null, 'The tag ends too early')
    if (kind === 'name') return this.#named(value)
    if (kind === 'number') return computed(() => Number(value))
    if (kind === 'string') {
      let text = unquote(value)
      while (this.current.kind === 'string') text += unquote(this.token('string', ''))
      return computed(() => text)
    }
    if (value === '(' || value === '[') {
      const items = this.#list(value === '(' ? ')' : ']', () => this.expression())
      const isOne = value === '(' && items.length === 1 && this.tokens[this.index - 2]!.value !== ','
      return isOne ? items[0]! : computed((scope) => items.map((item) => valueIn(item, scope)))
    }
    if (value === '{') {
      const entries = this.#list('}', () => {
        const key = this.expression()
        this.expect(':')
        return [key, this.expression()] as const
      })
      const entryIn = (scope: Scope) =>
        entries.map(([key, item]) => [textOf(valueIn(key, scope)), valueIn(item, scope)])
      return computed((scope) => Object.fromEntries(entryIn(scope)))
    }
    this.index--
    throw this.error('Expected a value')
  }

  #named(name: string): Expression {
    const constant = constants[name.replace(/^[TFN]/, (letter) => letter.toLowerCase())]
    if (constant !== undefined) return computed(() => constant)
    const make = globals.get(name)
    if (make && this.skip('(')) {
      const call = called(make, this.#arguments())
      return computed((scope) => call([null, null], scope)[0])
    }
    this.onName(name)
    return { read: (scope) => read(scope, name), needs: name }
  }

  #list<T>(close: string, item: () => T): T[] {
    const items: T[] = []
    while (!this.skip(close)) {
      items.push(item())
      if (this.current.value !== close) this.expect(',')
    }
    return items
  }

  #arguments(): Argument[] {
    return this.#list(')', () => {
      const name = this.tokens[this.index + 1]!.value === '=' ? this.name() : null
      if (name !== null) this.expect('=')
      return [name, this.expression()]
    })
  }
}
