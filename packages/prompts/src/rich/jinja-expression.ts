/**
 * @module
 * Reads the expressions of a Jinja template as functions of a scope. Names, literals, look-ups, operators, filters and tests: no code of
 * the template is executed.
 */

import { errorAt, lex, normalized, syntaxError, type Token } from './jinja-lexer.ts'
import { operators, rank, slice } from './jinja-operators.ts'
import { attributeOf, type Callable, callMethod, filters, globals, lookUp, tests } from './jinja-values.ts'
import {
  floatOf,
  isNumber,
  kind as kindOf,
  Markup,
  type Operand,
  plain,
  Refusal,
  refuse,
  shaped,
  textOf,
  Undefined,
} from './python-text.ts'
import { isMissing, isTrue, need, read, type Scope, type Traced } from './scope.ts'

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

  /**
   * Runs a part of a template. What it cannot do with the operands is an error with its place, unless one of them is a variable that is
   * missing: then formatting fails with the names of all of these.
   */
  protected run(what: string, at: number, scope: Scope, operands: readonly Operand[], apply: () => Operand): Operand {
    try {
      return apply()
    } catch (error) {
      const missing = operands.find(isMissing)
      if (error instanceof Refusal && missing && scope.run.isStrict) return need(missing, scope)
      throw errorAt(this.source, at, what, error)
    }
  }

  /** Returns the step that calls a function with what is on its left. `inner`: what it adds to the place of the value. */
  #called(
    what: string,
    at: number,
    apply: Callable,
    given: readonly Argument[],
    { inner = '', mayMiss = false } = {},
  ): Step {
    return ([value, place], scope) => {
      const valueOf = (operand: Operand): Operand => (mayMiss ? operand : need(operand, scope))
      const all = given.map(([name, argument]) => [name, valueOf(valueIn(argument, scope))] as const)
      const named = Object.fromEntries(all.filter(([name]) => name !== null))
      const values = all.filter(([name]) => name === null).map(([, argument]) => argument)
      const operands = [valueOf(value), ...all.map(([, argument]) => argument)]
      const result = this.run(what, at, scope, operands, () => apply(value, values, named))
      return [result, place && place + inner]
    }
  }

  /** Calculates with the operands of an operator. */
  #calculated(operator: string, at: number, scope: Scope, a: Operand, b: Operand): Operand {
    const what = `the operator ${operator}`
    return this.run(what, at, scope, [a, b], () => {
      // Python escapes what is added to escaped text.
      const isRefused = '+*'.includes(operator) && (a instanceof Markup || b instanceof Markup)
      const result = isRefused ? undefined : operators[operator]![1]!(plain(a), plain(b))
      return result ?? refuse(` of ${kindOf(a)} and ${kindOf(b)} has no result`)
    })
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
      if (this.current.value === 'not' && lowest > rank.compare) throw this.error('Unexpected not')
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
    const { at } = this.tokens[this.index - 1]!
    const { at: nameAt } = this.current
    if (operator === '.') return this.#attribute()
    if (operator === '[') return this.#item()
    if (operator === '|') {
      const name = this.current.value
      const filter = this.#known(filters, 'filter')
      const given = this.skip('(') ? this.#arguments() : []
      return this.#called(`the filter ${name}`, nameAt, filter, given, { mayMiss: isDefault(name) })
    }
    if (operator === 'is') {
      const isNegated = this.skip('not')
      const { at: testAt, value: name } = this.current
      const test = this.#known(tests, 'test')
      const given = this.skip('(') ? this.#arguments() : this.#bareArgument()
      const apply: Callable = (value, values, named) => test(value, values, named) !== isNegated
      return this.#called(`the test ${name}`, testAt, apply, given, { mayMiss: true })
    }
    if (operator === '(') throw this.error('Only methods of strings, arrays and objects can be called', undefined, at)
    if (ranked === rank.compare) return this.#comparison(operator, at)
    const right = this.operation(ranked + 1)
    if (!apply) return (left, scope) => (isTrue(left[0]) === (operator === 'or') ? left : right.read(scope))
    return ([value, place], scope) => [
      this.#calculated(operator, at, scope, need(value, scope), need(valueIn(right, scope), scope)),
      place,
    ]
  }

  /** Reads the comparisons behind a value: `a < b < c` is true if both are. */
  #comparison(first: string, firstAt: number): Step {
    const rest: (readonly [operator: string, at: number, operand: Expression])[] = []
    for (let [operator, at]: [string | null, number] = [first, firstAt]; operator; ) {
      rest.push([operator, at, this.operation(rank.compare + 1)])
      at = this.current.at
      operator = this.#operator(rank.compare)
    }
    return ([value], scope) => {
      let left: Operand = value
      const isMet = ([name, at, operand]: (typeof rest)[number]) =>
        isTrue(this.#calculated(name, at, scope, left, (left = valueIn(operand, scope))))
      return [rest.every(isMet), null]
    }
  }

  #attribute(): Step {
    const { at } = this.current
    const key = this.current.kind === 'number' ? this.token('number', '') : this.name()
    const inner = `.${key}`
    if (!this.skip('('))
      return this.#called(`the attribute ${key}`, at, (value) => attributeOf(value, key), [], { inner })
    const method: Callable = (value, given, named) => callMethod(value, key, given, named)
    return this.#called(`the method ${key}`, at, method, this.#arguments(), { inner })
  }

  #item(): Step {
    const { at } = this.tokens[this.index - 1]!
    const from = this.current.value === ':' ? null : this.expression()
    const isSlice = this.skip(':')
    const to = isSlice && this.current.value !== ']' ? this.expression() : null
    this.expect(']')
    return ([value, place], scope) => {
      const [start, end] = [from && valueIn(from, scope), to && valueIn(to, scope)]
      const owner = need(value, scope)
      const read = () => (isSlice ? slice(owner, start, end) : lookUp(owner, start))
      return [
        this.run(isSlice ? 'a slice' : 'an item', at, scope, [value, start, end], read),
        place && `${place}[${textOf(start ?? ':')}]`,
      ]
    }
  }

  /** Reads the argument of a test without parentheses, as in `is divisibleby 3`. */
  #bareArgument(): Argument[] {
    const { kind, value } = this.current
    if (/^(?:not|if|is|in)$/.test(value)) throw this.error('A test with more behind it', 'Put the test in parentheses.')
    const isOther = kind === 'operator' ? !'[{('.includes(value) : /^(?:and|or|else)$/.test(value)
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
    const { kind, value, at } = this.current
    if (value === 'not' || value === '-' || value === '+') {
      this.index++
      const operand = this.operation(value === 'not' ? rank.compare : rank.lookUp)
      if (value === 'not') return computed((scope) => !isTrue(valueIn(operand, scope)))
      return computed((scope) => {
        const number = valueIn(operand, scope)
        const sign = value === '-' ? -1 : 1
        const signed = () =>
          (isNumber(number) ? operators['*']![1]!(sign, number) : null) ?? refuse(` of ${kindOf(number)} has no result`)
        return this.run(`the operator ${value}`, at, scope, [number], signed)
      })
    }
    this.token(null, 'The tag ends too early')
    if (kind === 'name') return this.#named(value)
    if (kind === 'number') {
      const number = Number(value)
      const isWhole = /^\d+$/.test(value)
      if (isWhole && !Number.isSafeInteger(number))
        throw this.error('A number beyond 2^53', 'Numbers are exact up to it.', at)
      return computed(() => (isWhole ? number : floatOf(number)))
    }
    if (kind === 'string') {
      let text = unquote(value)
      while (this.current.kind === 'string') text += unquote(this.token('string', ''))
      return computed(() => text)
    }
    if (value === '(' || value === '[') {
      const items = this.#list(value === '(' ? ')' : ']', () => this.expression())
      const isOne = value === '(' && items.length === 1 && this.tokens[this.index - 2]!.value !== ','
      const shape = value === '(' ? 'tuple' : undefined
      return isOne
        ? items[0]!
        : computed((scope) =>
            shaped(
              items.map((item) => valueIn(item, scope)),
              shape,
            ),
          )
    }
    if (value === '{') {
      const entries = this.#list('}', () => {
        const key = this.expression()
        this.expect(':')
        return [key, this.expression()] as const
      })
      return computed((scope) => new Map(entries.map(([key, item]) => [valueIn(key, scope), valueIn(item, scope)])))
    }
    this.index--
    throw this.error('Expected a value')
  }

  #named(name: string): Expression {
    const constant = constants[name.replace(/^[TFN]/, (letter) => letter.toLowerCase())]
    if (constant !== undefined) return computed(() => constant)
    if (name === 'self') throw this.error('The name self is the template', 'Choose another name.')
    const make = globals.get(name)
    const { at } = this.tokens[this.index - 1]!
    if (make && this.skip('(')) {
      const call = this.#called(`the function ${name}`, at, make, this.#arguments())
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
