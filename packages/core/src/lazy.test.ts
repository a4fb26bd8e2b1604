import { expect, it } from 'vitest'
import { lazy } from './lazy.ts'

it('lazy computes a value once, at the first call, even if the value is undefined', () => {
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
