import { readJsonText, writeJsonText } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { expandJournal, OnceWriter } from './written-once.ts'

const LONG = 'a text of at least 32 characters'

/** What a store returns for the entries that a writer wrote. */
function stored(writer: OnceWriter, entries: readonly object[]): unknown[] {
  return entries.map((entry) => {
    const written = readJsonText(writeJsonText(writer.write(entry)))
    writer.commit()
    return written
  })
}

/** Numbers from 0 to 1, the same in each run. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** The same data with the keys of all objects in another order, as some databases return it. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, item]) => [key, reordered(item)] as const)
  return Object.fromEntries(entries.reverse())
}

describe('a journal', () => {
  it('contains each long value once', () => {
    const message = { role: 'tool', content: LONG }
    const entries = [
      { type: 'task', n: 0, task: { input: LONG, again: LONG } },
      { type: 'result', n: 1, value: message },
      { type: 'step', n: 2, outputs: [message, { content: LONG }, 'short', 'short'] },
    ]
    const written = stored(new OnceWriter(), entries)
    expect(written[1]).toMatchObject({ value: { role: 'tool', content: { $n: 0 } }, once: 4 })
    expect(written[2]).toMatchObject({ outputs: [{ $n: 3 }, { content: { $n: 0 } }, 'short', 'short'] })
    expect(expandJournal(written)).toEqual(entries)
  })

  it('counts values by the order of their keys, in which a store may return them', () => {
    const value = { z: `${LONG} z`, a: `${LONG} a` }
    const entries = [
      { n: 0, type: 'task', task: value },
      { n: 1, type: 'result', value: `${LONG} a` },
    ]
    expect(expandJournal(stored(new OnceWriter(), entries).map(reordered))).toEqual(entries)
  })

  it('has strings of more than 65,536 characters elsewhere, if the store can', () => {
    const entry = { n: 0, type: 'task', task: { a: 'a'.repeat(65_536), b: 'b'.repeat(65_537) } }
    const writer = new OnceWriter(true)
    expect(writer.write(entry)).toMatchObject({ task: { a: entry.task.a, b: { $n: { sha256: expect.any(String) } } } })
    expect([...writer.blobs.values()]).toEqual([JSON.stringify(entry.task.b)])
  })

  it('does not read an object again that it has written', () => {
    let reads = 0
    const value = {
      get content() {
        reads++
        return LONG
      },
    }
    const writer = new OnceWriter()
    stored(writer, [{ n: 0, type: 'task', task: value }])
    const before = reads
    expect(stored(writer, [{ n: 1, type: 'result', value }])).toMatchObject([{ value: { $n: 1 } }])
    expect(reads).toBe(before)
  })

  it('has the same values after any operations, in any runner, also if the store changes the order of keys', () => {
    const next = random(7)
    const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)]!
    const words = [
      '',
      'a',
      '$n',
      '"',
      'x'.repeat(30),
      'y'.repeat(30),
      '12',
      'null',
      '#1',
      '\ud800'.repeat(30),
      '3"abc,',
    ]
    const keys = ['$n', 'a', 'b', '7', '__proto_', 'once', '__proto__', 'k'.repeat(30)]
    const count = () => Math.floor(next() * 4)
    const value = (depth: number): unknown => {
      const kind = next()
      if (depth === 0 || kind < 0.4) return pick([...words, 0, -0, 1.5, 2 ** 60, true, null, undefined, 10n ** 20n])
      if (kind < 0.6) return Array.from({ length: count() }, () => value(depth - 1))
      return Object.fromEntries(Array.from({ length: count() }, () => [pick(keys), value(depth - 1)]))
    }
    for (let round = 0; round < 400; round++) {
      let writer = new OnceWriter()
      const pool = Array.from({ length: 3 }, () => value(3))
      const written: unknown[] = []
      const expected: unknown[] = []
      for (let n = 0; n < 10; n++) {
        const entry = { type: n === 0 ? 'task' : 'step', n, a: pick(pool), b: value(3), c: { d: pick(pool) } }
        const text = writeJsonText(writer.write(entry))
        if (next() < 0.3) writer.discard()
        else {
          writer.commit()
          written.push(readJsonText(text))
          expected.push(readJsonText(writeJsonText(entry)))
        }
        // Another runner continues.
        if (next() < 0.1) writer = new OnceWriter()
      }
      expect(writeJsonText(expandJournal(written))).toBe(writeJsonText(expected))
      expect(expandJournal(written.map(reordered))).toEqual(expected)
    }
  })

  it('keeps what values are in JSON', () => {
    class Model {
      toJSON() {
        return { content: LONG }
      }
    }
    const entries = [{ type: 'result', n: 0, value: [new Model(), undefined, new Date(0), { left: undefined }] }]
    const written = stored(new OnceWriter(), entries)
    expect(expandJournal(written)).toEqual([
      { type: 'result', n: 0, value: [{ content: LONG }, null, '1970-01-01T00:00:00.000Z', {}] },
    ])
  })

  it.each([
    [
      'a number that no value has',
      { once: 2, a: { $n: 9 } },
      'Entry 1: expected the number of an earlier value, received 9',
    ],
    [
      'another number of values',
      { once: 7, a: 1 },
      'Entry 1: once: expected 1, the number of values so far, received 7',
    ],
  ])('is refused with %s', (_, entry, message) => {
    const first = { type: 'task', n: 0, once: 0, task: LONG }
    expect(() => expandJournal([first, { type: 'step', n: 1, ...entry }])).toThrow(message)
  })

  it('is read unchanged if its values are complete', () => {
    const entries = [
      { type: 'task', n: 0 },
      { type: 'result', n: 1, value: { $n: 3 } },
    ]
    expect(expandJournal(entries)).toEqual(entries)
  })
})
