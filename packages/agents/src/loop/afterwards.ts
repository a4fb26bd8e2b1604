/** Passes a value on: now, or when its promise is fulfilled. */
export function afterwards<T, Result>(value: T | Promise<T>, pass: (value: T) => Result): Result | Promise<Result> {
  return value instanceof Promise ? value.then(pass) : pass(value)
}
