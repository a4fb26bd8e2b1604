import { afterEach, describe, expect, it, vi } from 'vitest'
import { newId } from './new-id.ts'

afterEach(() => vi.unstubAllGlobals())

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('newId', () => {
  it('is a random UUID of version 4', () => {
    const ids = Array.from({ length: 100 }, newId)
    expect(ids.every((id) => uuid.test(id))).toBe(true)
    expect(new Set(ids).size).toBe(100)
  })

  it('needs no randomUUID, which insecure pages lack', () => {
    const { crypto } = globalThis
    vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes) })
    const ids = Array.from({ length: 100 }, newId)
    expect(ids.every((id) => uuid.test(id))).toBe(true)
    expect(new Set(ids).size).toBe(100)
    vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes.fill(0) })
    expect(newId()).toBe('00000000-0000-4000-8000-000000000000')
  })
})
