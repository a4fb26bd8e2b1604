/** Whether a value is made by a class or one that extends it, whatever `instanceof` says. */
export function isMadeBy(made: abstract new (...args: never[]) => object, value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.prototype.isPrototypeOf.call(made.prototype, value)
}
