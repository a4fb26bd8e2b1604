/** The functions of tools. */
import type { Dict } from '@x/core-model'

/** Returns the functions, with a counter of their own. */
export function toolFunctions(): Record<string, (args: Dict) => unknown> {
  let calls = 0
  return {
    add: ({ a, b }) => sum(a, b),
    multiply: ({ a, b }) => Number(a) * Number(b),
    concat: ({ a, b }) => `${a}${b}`,
    echo: ({ text }) => text,
    upper: ({ text }) => upper(text),
    fail: ({ message }) => {
      throw new Error(String(message))
    },
    nothing: () => null,
    obj: ({ k }) => ({ key: k, n: 1 }),
    items: ({ n }) => Array.from({ length: Number(n) }, (_, index) => index + 1),
    truthy: ({ x }) => Boolean(x),
    count: () => ++calls,
  }
}

/** The sum of two values: a string unless both are numbers. */
export function sum(a: unknown, b: unknown): unknown {
  return typeof a === 'number' && typeof b === 'number' ? a + b : `${a}${b}`
}

function upper(text: unknown): string {
  if (typeof text !== 'string') throw new Error('upper: expected a string')
  return text.toUpperCase()
}
