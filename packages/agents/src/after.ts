/**
 * @module
 * Going on with what may or may not have to be waited for. A promise costs more than most of what happens in a step, so
 * none is made for what is there already.
 */

/** Whether a value is a promise of any kind. */
export function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as Partial<PromiseLike<T>> | null | undefined)?.then === 'function'
}

/** What `next` makes of a value: at once when the value is there, else when it is. */
export function after<T, U>(value: T | PromiseLike<T>, next: (value: T) => U | PromiseLike<U>): U | Promise<U> {
  if (value instanceof Promise) return value.then(next)
  return (isPromise(value) ? Promise.resolve(value).then(next) : next(value)) as U | Promise<U>
}
