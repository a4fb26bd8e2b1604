/**
 * @module
 * Continues with a value that may be a promise. A promise costs more than most of the work in a step, so values that are already
 * available are not wrapped in one.
 */

/** Whether a value is a promise or another thenable. */
export function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as Partial<PromiseLike<T>> | null | undefined)?.then === 'function'
}

/** Calls `next` with a value: synchronously unless the value is a promise. */
export function after<T, U>(value: T | PromiseLike<T>, next: (value: T) => U | PromiseLike<U>): U | Promise<U> {
  if (value instanceof Promise) return value.then(next)
  return (isPromise(value) ? Promise.resolve(value).then(next) : next(value)) as U | Promise<U>
}
