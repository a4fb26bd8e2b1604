/**
 * Readers: from the free-form JSON of a case to the types that an operation works with. A value of another form fails the case
 * with its place, what was expected and what was received.
 */

/** An error of the case or of the adapter, never one that a case may expect from the library. */
export class CaseError extends Error {}

/** Thrown when a case does not have the form that its operation reads. */
export class CaseFormError extends CaseError {
  constructor(path: string, expected: string, received: unknown) {
    super(`${path}: expected ${expected}, received ${excerpt(received)}`)
    this.name = 'CaseFormError'
  }
}

function excerpt(value: unknown): string {
  const json = value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value))
  return json.length > 80 ? `${json.slice(0, 80)}…` : json
}

/** The path of a value in a case, such as `given.steps[2].call`. */
export class Place {
  readonly path: string
  /** Keys of the case that no reader knows. */
  readonly unread: string[]

  constructor(path: string, unread: string[] = []) {
    this.path = path
    this.unread = unread
  }

  child(key: string | number): Place {
    return new Place(typeof key === 'number' ? `${this.path}[${key}]` : `${this.path}.${key}`, this.unread)
  }

  fail(expected: string, received: unknown): never {
    throw new CaseFormError(this.path, expected, received)
  }
}

/** Checks a value and returns it with its type. @throws {CaseFormError} */
export type Reader<T> = (value: unknown, at: Place) => T

/** The type that a reader returns. */
export type Read<R> = R extends Reader<infer T> ? T : never

/** A JSON object whose keys belong to the case. */
export type JsonObject = Record<string, unknown>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const string: Reader<string> = (value, at) => (typeof value === 'string' ? value : at.fail('a string', value))

export const number: Reader<number> = (value, at) => (typeof value === 'number' ? value : at.fail('a number', value))

export const boolean: Reader<boolean> = (value, at) =>
  typeof value === 'boolean' ? value : at.fail('true or false', value)

export const object: Reader<JsonObject> = (value, at) => (isObject(value) ? value : at.fail('an object', value))

/** Any JSON value. */
export const anything: Reader<unknown> = (value) => value

/** A value that is passed to the library unchanged: the case tests whether the library accepts it. */
export function argument<T>(): Reader<T> {
  return (value) => value as T
}

/** The value, or undefined where the key is absent. */
export function optional<T>(reader: Reader<T>): Reader<T | undefined> {
  return (value, at) => (value === undefined ? undefined : reader(value, at))
}

export function nullable<T>(reader: Reader<T>): Reader<T | null> {
  return (value, at) => (value === null ? null : reader(value, at))
}

export function list<T>(reader: Reader<T>): Reader<T[]> {
  return (value, at) =>
    Array.isArray(value) ? value.map((item, index) => reader(item, at.child(index))) : at.fail('a list', value)
}

export function pair<A, B>(first: Reader<A>, second: Reader<B>): Reader<[A, B]> {
  return (value, at) =>
    Array.isArray(value) && value.length === 2
      ? [first(value[0], at.child(0)), second(value[1], at.child(1))]
      : at.fail('a pair', value)
}

/** An object with any keys, whose values have one form. */
export function dictionary<T>(reader: Reader<T>): Reader<Record<string, T>> {
  return (value, at) =>
    Object.fromEntries(Object.entries(object(value, at)).map(([key, item]) => [key, reader(item, at.child(key))]))
}

export function literal<const T extends string>(...choices: readonly T[]): Reader<T> {
  return (value, at) => choices.find((choice) => choice === value) ?? at.fail(`one of ${choices.join(', ')}`, value)
}

/** A name in a table; returns its entry. */
export function named<T>(table: Readonly<Record<string, T>>): Reader<T> {
  return (value, at) =>
    typeof value === 'string' && Object.hasOwn(table, value)
      ? (table[value] as T)
      : at.fail(`one of ${Object.keys(table).join(', ')}`, value)
}

/** The first reader that accepts the value. */
export function either<A, B>(expected: string, first: Reader<A>, second: Reader<B>): Reader<A | B> {
  return (value, at) => {
    for (const reader of [first, second] as const) {
      try {
        return reader(value, at)
      } catch (error) {
        if (!(error instanceof CaseFormError)) throw error
      }
    }
    return at.fail(expected, value)
  }
}

type Readers = Readonly<Record<string, Reader<unknown>>>
type RequiredKeys<S> = { [K in keyof S]: undefined extends Read<S[K]> ? never : K }[keyof S]
type Flat<T> = { [K in keyof T]: T[K] }

/** The object that {@link shape} returns: keys whose reader may return undefined are optional. */
export type Shape<S> = Flat<
  { [K in RequiredKeys<S>]: Read<S[K]> } & { [K in Exclude<keyof S, RequiredKeys<S>>]?: Read<S[K]> }
>

/** An object with these keys. Only keys that the case has are in the result; others are noted as unread. */
export function shape<S extends Readers>(readers: S): Reader<Shape<S>> {
  return (value, at) => {
    const source = object(value, at)
    const result: JsonObject = {}
    for (const [key, reader] of Object.entries(readers)) {
      const read = reader(source[key], at.child(key))
      if (key in source) result[key] = read
    }
    for (const key of Object.keys(source)) if (!Object.hasOwn(readers, key)) at.unread.push(at.child(key).path)
    return result as Shape<S>
  }
}

type Variant<Tag extends string, V> = {
  [K in keyof V]: Flat<{ [T in Tag]: K } & Shape<V[K]>>
}[keyof V]

/** An object whose form depends on the value of one key. */
export function variants<Tag extends string, V extends Readonly<Record<string, Readers>>>(
  tag: Tag,
  forms: V,
  otherwise?: keyof V & string,
): Reader<Variant<Tag, V>> {
  const readers = Object.fromEntries(
    Object.entries(forms).map(([name, readers]) => [name, shape({ ...readers, [tag]: anything })]),
  )
  return (value, at) => {
    const name = object(value, at)[tag] ?? otherwise
    const reader = named(readers)(name, at.child(tag))
    return { ...reader(value, at), [tag]: name } as Variant<Tag, V>
  }
}
