import { describe, expect, it, vi } from 'vitest'
import { idSeries, newId, uuidOf } from './new-id.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('newId', () => {
  it('returns a random UUID of version 4', () => {
    const ids = Array.from({ length: 100 }, newId)
    expect(ids.every((id) => uuid.test(id))).toBe(true)
    expect(new Set(ids).size).toBe(100)
  })

  it('works without randomUUID, which insecure pages do not have', () => {
    const ids = Array.from({ length: 100 }, () => uuidOf(crypto.getRandomValues(new Uint8Array(16))))
    expect(ids.every((id) => uuid.test(id))).toBe(true)
    expect(new Set(ids).size).toBe(100)
    expect(uuidOf(new Uint8Array(16))).toBe('00000000-0000-4000-8000-000000000000')
  })
})

describe('idSeries', () => {
  it('returns unique UUIDs of version 4, even from several series', () => {
    const [one, other] = [idSeries(), idSeries()]
    const ids = Array.from({ length: 600 }, () => [one(), other()]).flat()
    expect(ids.every((id) => uuid.test(id))).toBe(true)
    expect(new Set(ids).size).toBe(1200)
  })

  it('generates one random UUID per 256 ids', () => {
    const random = vi.fn(newId)
    const next = idSeries(random)
    for (let i = 0; i < 768; i++) next()
    expect(random).toHaveBeenCalledTimes(3)
  })
})
