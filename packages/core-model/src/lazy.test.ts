import { expect, it } from 'vitest'
import { lazy } from './lazy.ts'

it('makes a value at the first call and once, whatever the value is', () => {
  for (const value of [{}, undefined, 0]) {
    let made = 0
    const get = lazy(() => {
      made++
      return value
    })
    expect(made).toBe(0)
    expect([get(), get()]).toEqual([value, value])
    expect(made).toBe(1)
  }
})
