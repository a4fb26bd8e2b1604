/**
 * @module
 * The links between modules, and the order that they ask for.
 */

/** What a link does on its way. */
export interface LinkOptions {
  /** The output that is carried. @defaultValue the only one */
  srcKey?: string | null | undefined
  /** The input it goes to. @defaultValue the only one that must still be given */
  destKey?: string | null | undefined
  /** Whether the link is taken; sees the value before `inputFn`. @defaultValue always */
  conditionFn?: ((value: never) => boolean | Promise<boolean>) | null | undefined
  /** Changes the value. */
  inputFn?: ((value: never) => unknown) | null | undefined
}

/** A link as part of a list. */
export class Link {
  readonly src: string
  readonly dest: string
  readonly options: LinkOptions

  constructor(src: string, dest: string, options: LinkOptions = {}) {
    this.src = src
    this.dest = dest
    this.options = options
  }
}

/** The links of a pipeline, in the order they were added. */
export class Links {
  readonly all: Link[] = []
  private readonly into = new Map<string, Link[]>()
  private readonly outOf = new Map<string, Link[]>()

  add(link: Link): void {
    this.all.push(link)
    for (const [map, key] of [[this.into, link.dest] as const, [this.outOf, link.src] as const]) {
      const list = map.get(key)
      if (list) list.push(link)
      else map.set(key, [link])
    }
  }

  to(key: string): readonly Link[] {
    return this.into.get(key) ?? []
  }

  from(key: string): readonly Link[] {
    return this.outOf.get(key) ?? []
  }

  /** Whether a way leads from one module to another; looked for from both ends, so that the shorter search decides. */
  lead(from: string, to: string): boolean {
    if (from === to) return true
    const ahead = reached(from, (key) => this.from(key), 'dest')
    const back = reached(to, (key) => this.to(key), 'src')
    for (;;) {
      const before = back.next()
      if (before.done) return false
      const after = ahead.next()
      if (after.done) return false
      if (before.value === from || after.value === to) return true
    }
  }
}

/** The modules that can be reached, step by step. */
function* reached(
  start: string,
  links: (key: string) => readonly Link[],
  end: 'src' | 'dest',
): Generator<string, void> {
  const seen = new Set([start])
  for (const key of seen) {
    for (const { [end]: next } of links(key)) {
      seen.add(next)
      yield next
    }
  }
}

/** Gives each module once all modules before it are done, in the order in which they become free. */
export class Schedule {
  private readonly links: Links
  private readonly before = new Map<string, number>()
  private readonly free: string[] = []
  private given = 0

  constructor(keys: Iterable<string>, links: Links) {
    this.links = links
    for (const key of keys) {
      const count = new Set(links.to(key).map(({ src }) => src)).size
      if (count === 0) this.free.push(key)
      else this.before.set(key, count)
    }
  }

  /** The next module that is free; nothing while all others wait for one that is not done. */
  next(): string | undefined {
    return this.given < this.free.length ? this.free[this.given++] : undefined
  }

  done(key: string): void {
    for (const dest of new Set(this.links.from(key).map(({ dest }) => dest))) {
      const left = this.before.get(dest)! - 1
      this.before.set(dest, left)
      if (left === 0) this.free.push(dest)
    }
  }
}
