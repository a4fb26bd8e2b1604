import { getEventListeners } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import {
  anySignal,
  interruptible,
  mapInTurns,
  pause,
  raceAbort,
  relay,
  streamOf,
  turns,
  untilAborted,
  untilLeft,
  withDeadline,
} from './abort.ts'

describe('anySignal', () => {
  const listeners = (...all: AbortController[]) => all.map(({ signal }) => getEventListeners(signal, 'abort').length)

  it('aborts with the reason of the first signal that aborts, and leaves no listener', () => {
    const [one, two] = [new AbortController(), new AbortController()]
    const { signal } = anySignal(one.signal, undefined, two.signal)
    expect([signal.aborted, listeners(one, two)]).toEqual([false, [1, 1]])
    two.abort('enough')
    one.abort('later')
    expect([signal.reason, listeners(one, two)]).toEqual(['enough', [0, 0]])
  })

  it('has aborted if one of the signals has', () => {
    const one = new AbortController()
    const { signal } = anySignal(one.signal, AbortSignal.abort('enough'), AbortSignal.abort('later'))
    expect([signal.reason, listeners(one)]).toEqual(['enough', [0]])
  })

  it('does not abort after its release, nor without signals', () => {
    const one = new AbortController()
    const { signal, release } = anySignal(one.signal)
    release()
    expect(listeners(one)).toEqual([0])
    one.abort()
    expect([signal.aborted, anySignal().signal.aborted]).toEqual([false, false])
  })
})

describe('untilAborted', () => {
  it('returns the result of the work, with and without a signal', async () => {
    expect(await untilAborted(undefined, () => 1)).toBe(1)
    expect(await untilAborted(new AbortController().signal, async () => 2)).toBe(2)
    await expect(untilAborted(new AbortController().signal, () => Promise.reject('no'))).rejects.toBe('no')
  })

  it('does not start the work when the signal has already aborted', async () => {
    let begun = false
    const work = () => {
      begun = true
    }
    await expect(untilAborted(AbortSignal.abort('enough'), work)).rejects.toBe('enough')
    expect(begun).toBe(false)
  })

  it('does not wait for work that ignores the signal, whether it succeeds or fails', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const waiting = untilAborted(signal, () => new Promise((_, reject) => setTimeout(reject, 5, 'too late')))
    controller.abort('enough')
    await expect(waiting).rejects.toBe('enough')
    await new Promise((resolve) => setTimeout(resolve, 10))
  })

  it('throws the error of work that fails while aborting', async () => {
    const controller = new AbortController()
    const failing = () => {
      controller.abort('enough')
      throw new Error('first')
    }
    await expect(untilAborted(controller.signal, failing)).rejects.toThrow('first')
  })

  it('removes its listener', async () => {
    const listeners = new Set<unknown>()
    const { signal } = new AbortController()
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (type: never, listener: never, options: never) => {
      listeners.add(listener)
      add(type, listener, options)
    }
    signal.removeEventListener = (type: never, listener: never) => {
      listeners.delete(listener)
      remove(type, listener)
    }
    await untilAborted(signal, () => 1)
    expect(listeners.size).toBe(0)
  })
})

describe('raceAbort', () => {
  it('returns a value that is not a promise unchanged', () => {
    expect(raceAbort(1, AbortSignal.abort())).toBe(1)
  })

  it('rejects immediately with the reason if the signal has aborted', async () => {
    await expect(raceAbort(new Promise(() => {}), AbortSignal.abort('enough'))).rejects.toBe('enough')
  })

  it('adds one listener for all calls that race with a signal, and removes it after the last one', async () => {
    const { signal } = new AbortController()
    const listeners = () => getEventListeners(signal, 'abort').length
    const ends: (() => void)[] = []
    const calls = [1, 2, 3].map(() => raceAbort(new Promise<void>((resolve) => ends.push(resolve)), signal))
    expect(listeners()).toBe(1)
    for (const [i, call] of calls.entries()) {
      ends[i]!()
      await call
    }
    await Promise.resolve()
    expect(listeners()).toBe(0)
  })

  it('rejects all calls that race with a signal', async () => {
    const controller = new AbortController()
    const calls = [1, 2].map(() => raceAbort(new Promise<void>(() => {}), controller.signal))
    controller.abort('enough')
    for (const call of calls) await expect(call).rejects.toBe('enough')
  })
})

describe('withDeadline', () => {
  const late = new Error('too late')
  const error = () => late
  const never = () => new Promise<never>(() => {})

  it('passes no signal and returns the result itself if there is neither a limit nor a signal', () => {
    expect(withDeadline({ error }, (signal) => [signal])).toEqual([undefined])
    expect(withDeadline({ milliseconds: 2 ** 31, error }, (signal) => [signal])).toEqual([undefined])
  })

  it('aborts the signal of the work with the given error', async () => {
    const work = (signal: AbortSignal | undefined) => raceAbort(never(), signal)
    await expect(withDeadline({ milliseconds: 5, error }, work)).rejects.toBe(late)
  })

  it("rejects with the caller's reason, even if the work throws a different error", async () => {
    const controller = new AbortController()
    const work = async () => {
      controller.abort('enough')
      throw new Error('its own')
    }
    await expect(withDeadline({ milliseconds: 1000, signal: controller.signal, error }, work)).rejects.toBe('enough')
  })

  it('limits the time until the result has settled', async () => {
    const untilSettled = ({ end }: { end: Promise<never> }) => end
    const work = (signal: AbortSignal | undefined) => ({ end: untilAborted(signal, never) })
    const result = await withDeadline({ milliseconds: 5, error, untilSettled }, work)
    await expect(result.end).rejects.toBe(late)
  })
})

describe('pause', () => {
  it('resolves after the time, and rejects with the reason of its signal', async () => {
    await pause(1)
    await expect(pause(1, AbortSignal.abort('enough'))).rejects.toBe('enough')
    const controller = new AbortController()
    const waiting = pause(Number.POSITIVE_INFINITY, controller.signal)
    const first = await Promise.race([
      waiting.catch(() => 'rejected'),
      new Promise((resolve) => setTimeout(resolve, 20)),
    ])
    controller.abort('enough')
    expect(first).toBeUndefined()
    await expect(waiting).rejects.toBe('enough')
  })
})

describe('mapInTurns', () => {
  it('returns the results in order, and lets timers run between items that take long', async () => {
    const busy = async (item: number) => {
      for (const end = performance.now() + 11; performance.now() < end; );
      return item * 2
    }
    expect(await mapInTurns([1, 2], undefined, busy)).toEqual([2, 4])
    const controller = new AbortController()
    setTimeout(() => controller.abort('enough'))
    await expect(mapInTurns([1, 2, 3, 4], controller.signal, busy)).rejects.toBe('enough')
  })
})

describe('turns', () => {
  it('lets timers run when the work has taken long, and rejects with the reason of the signal', async () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort('enough'))
    const turn = turns(controller.signal)
    const work = async () => {
      for (;;) await turn()
    }
    await expect(work()).rejects.toBe('enough')
  })

  it('waits for no timer where the platform has another way: hidden tabs delay timers', async () => {
    let yielded = 0
    vi.stubGlobal('scheduler', { yield: async () => void yielded++ })
    vi.stubGlobal('setTimeout', () => expect.unreachable())
    try {
      const turn = turns()
      for (const end = performance.now() + 30; performance.now() < end; ) await turn()
      expect(yielded).toBeGreaterThan(0)
    } finally {
      vi.unstubAllGlobals()
    }
  })
})

/** Yields a number, and is silent then. */
function silent() {
  const left = new AbortController()
  const log: string[] = []
  async function* values() {
    try {
      log.push('starts')
      yield 1
      yield await raceAbort(new Promise<number>(() => {}), left.signal)
    } finally {
      log.push('ends')
    }
  }
  return { items: interruptible(values(), () => left.abort(new Error('left'))), log }
}

const through = (items: AsyncGenerator<number>) =>
  relay<number>(async function* (read) {
    for await (const item of read(items)) yield 10 * item
  })

describe('return', () => {
  it.each([
    ['an interruptible generator', (items: AsyncGenerator<number>) => items],
    ['a relay', through],
    ['a relay of a relay', (items: AsyncGenerator<number>) => through(through(items))],
  ])('ends %s while a value is awaited', async (_, make) => {
    const { items, log } = silent()
    const reader = make(items)
    await reader.next()
    const next = reader.next()
    const rejected = expect(next).rejects.toThrow('left')
    expect(await reader.return(undefined)).toEqual({ value: undefined, done: true })
    await rejected
    expect(log).toEqual(['starts', 'ends'])
  })

  it('ends a relay before it reads, so that its source never starts', async () => {
    const { items, log } = silent()
    let open = () => {}
    const ready = new Promise<void>((resolve) => {
      open = resolve
    })
    const reader = relay<number>(async function* (read) {
      await ready
      yield* read(items)
    })
    const next = reader.next()
    const left = reader.return(undefined)
    open()
    expect(await next).toEqual({ value: undefined, done: true })
    await left
    expect(log).toEqual([])
  })

  it('ends a source without a method return where it is', async () => {
    const reader = relay<number>(async function* (read) {
      yield* read({ [Symbol.asyncIterator]: () => ({ next: async () => ({ value: 1, done: false }) }) })
    })
    expect((await reader.next()).value).toBe(1)
    expect((await reader.return(undefined)).done).toBe(true)
  })
})

describe('relay', () => {
  it('ends the iterator of a source that is no iterator itself', async () => {
    const { items, log } = silent()
    const reader = relay<number>(async function* (read) {
      yield* read({ [Symbol.asyncIterator]: () => items })
    })
    await reader.next()
    const next = reader.next()
    const rejected = expect(next).rejects.toThrow('left')
    await reader.return(undefined)
    await rejected
    expect(log).toEqual(['starts', 'ends'])
  })

  it('reads an array', async () => {
    const reader = relay<number>(async function* (read) {
      yield* read([1])
    })
    expect((await reader.next()).value).toBe(1)
    expect((await reader.next()).done).toBe(true)
  })
})

describe('untilLeft', () => {
  const forever = async function* (signal: AbortSignal) {
    yield await raceAbort(new Promise<number>(() => {}), signal)
  }

  it('aborts its signal when the reader leaves, and with the other signal', async () => {
    const left = untilLeft(undefined, forever)
    const next = expect(left.next()).rejects.toMatchObject({ name: 'AbortError' })
    await left.return()
    await next
    const stop = new AbortController()
    const stopped = expect(untilLeft(stop.signal, forever).next()).rejects.toThrow('enough')
    stop.abort(new Error('enough'))
    await stopped
  })

  it('refuses what makes no generator, and leaves nothing on the other signal at its end', async () => {
    expect(() => untilLeft(undefined, 5 as never)).toThrow(expect.objectContaining({ code: 'model_validation' }))
    for (const signal of [5, 'x', {}, new AbortController()] as never[])
      for (const call of [
        () => untilLeft(signal, forever).next(),
        () => untilAborted(signal, async () => 1),
        () => raceAbort(Promise.resolve(1), signal),
        () => pause(1, signal),
        () => withDeadline({ milliseconds: 5, signal, error: () => new Error() }, () => 1),
      ])
        await expect(async () => call()).rejects.toThrow('signal: expected an AbortSignal, received ')
    const { signal } = new AbortController()
    const [add, remove] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')]
    for await (const _ of untilLeft(signal, async function* () {
      yield 1
    }));
    expect(add).toHaveBeenCalledTimes(1)
    expect(remove).toHaveBeenCalledTimes(1)
  })

  it('begins with the first read, and returns the result', async () => {
    let begun = false
    const items = untilLeft(undefined, async function* () {
      begun = true
      yield 1
      return 2
    })
    expect(begun).toBe(false)
    expect(await items.next()).toEqual({ value: 1, done: false })
    expect(await items.next()).toEqual({ value: 2, done: true })
  })
})

describe('streamOf', () => {
  it('ends with the last item', async () => {
    async function* items() {
      yield 'a'
    }
    const reader = streamOf(items()).getReader()
    expect(await reader.read()).toEqual({ value: 'a', done: false })
    expect(await reader.read()).toEqual({ value: undefined, done: true })
  })

  it('returns the items and the error', async () => {
    async function* failing() {
      yield 'a'
      throw new Error('broken')
    }
    const reader = streamOf(failing()).getReader()
    expect(await reader.read()).toEqual({ value: 'a', done: false })
    await expect(reader.read()).rejects.toThrow('broken')
  })

  it('ends the items when it is cancelled, while the next one is awaited', async () => {
    const { items, log } = silent()
    const reader = streamOf(items).getReader()
    await reader.read()
    await reader.cancel()
    expect(log).toEqual(['starts', 'ends'])
  })
})
