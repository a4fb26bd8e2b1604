/**
 * @module
 * The links between modules and the order of execution that they require.
 */
import { callback, checkGiven, checkOptions, type OptionTable, text } from '@x/core/options'
import { addToList } from '@x/core/values'
import type { QueryComponent } from '@x/core-model'

/** The options of a link: which output it reads, which input it writes, its condition and its conversion. */
export interface LinkOptions {
  /** The name of the output to read. @defaultValue the only output of the source */
  srcKey?: string | null | undefined
  /** The name of the input to write. @defaultValue the only required input of the target that has no fixed value */
  destKey?: string | null | undefined
  /** Returns whether the link is followed; receives the value before `inputFn`. @defaultValue always followed */
  conditionFn?: ((value: never) => boolean | Promise<boolean>) | null | undefined
  /** Converts the value. @defaultValue the value is passed unchanged */
  inputFn?: ((value: never) => unknown) | null | undefined
}

const LINK_OPTIONS: OptionTable<LinkOptions> = {
  srcKey: text,
  destKey: text,
  conditionFn: callback,
  inputFn: callback,
}

/**
 * A link from one module to another, for the `links` option and `addLinks`.
 * @throws {ModelValidationError} for an unknown option, or a value of the wrong type.
 */
export class Link {
  readonly src: string
  readonly dest: string
  readonly options: LinkOptions

  constructor(src: string, dest: string, options: LinkOptions = {}) {
    checkGiven('Link', { src, dest }, text)
    this.src = src
    this.dest = dest
    this.options = options
    checkOptions(`link from "${src}" to "${dest}"`, options, LINK_OPTIONS)
  }
}

/** Whether a value is a link; also true for links of another copy of this package. */
export function isLink(value: unknown): value is Link {
  const { src, dest, options } = (value ?? {}) as Partial<Link>
  return typeof src === 'string' && typeof dest === 'string' && typeof options === 'object' && options !== null
}

/** The links of a pipeline, in the order they were added. */
export class Links {
  readonly all: Link[] = []
  private readonly into = new Map<string, Link[]>()
  private readonly outOf = new Map<string, Link[]>()

  add(link: Link): void {
    this.all.push(link)
    addToList(this.into, link.dest, link)
    addToList(this.outOf, link.src, link)
  }

  to(key: string): readonly Link[] {
    return this.into.get(key) ?? []
  }

  from(key: string): readonly Link[] {
    return this.outOf.get(key) ?? []
  }

  /** Whether a path leads from one module to another. Searches from both ends, so the cost is that of the shorter search. */
  hasPath(from: string, to: string): boolean {
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

/** Yields the modules that can be reached from `start`, one link at a time. */
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

/** Returns each module as soon as all its predecessors are done, in the order in which the modules become ready. */
export class Schedule {
  private readonly links: Links
  /** Per module: the number of predecessors that are not done. */
  private readonly waitingFor = new Map<string, number>()
  private readonly ready: string[] = []
  private position = 0

  constructor(keys: Iterable<string>, links: Links) {
    this.links = links
    for (const key of keys) {
      const count = new Set(links.to(key).map(({ src }) => src)).size
      if (count === 0) this.ready.push(key)
      else this.waitingFor.set(key, count)
    }
  }

  /** Whether a module is ready. */
  get hasNext(): boolean {
    return this.position < this.ready.length
  }

  /** Returns the next module that is ready; `undefined` while every other module waits for a predecessor. */
  next(): string | undefined {
    return this.hasNext ? this.ready[this.position++] : undefined
  }

  done(key: string): void {
    for (const dest of new Set(this.links.from(key).map(({ dest }) => dest))) {
      const left = this.waitingFor.get(dest)! - 1
      this.waitingFor.set(dest, left)
      if (left === 0) this.ready.push(dest)
    }
  }
}

/** The parts of a pipeline that are drawn. */
interface Graph {
  readonly modules: ReadonlyMap<string, QueryComponent>
  readonly allLinks: readonly Link[]
}

/** Returns the flowchart of a pipeline. Nested pipelines are subgraphs; links with a condition are dotted. */
export function mermaid(graph: Graph): string {
  return ['flowchart TD', ...body(graph, 'm', '  ')].join('\n')
}

function body({ modules, allLinks }: Graph, prefix: string, indent: string): string[] {
  const ids = new Map([...modules.keys()].map((key, index) => [key, `${prefix}${index}`]))
  const lines = [...modules].flatMap(([key, component]) => {
    const id = ids.get(key)!
    if (!isGraph(component)) return [`${indent}${id}["${escaped(key)}"]`]
    return [`${indent}subgraph ${id}["${escaped(key)}"]`, ...body(component, `${id}_`, `${indent}  `), `${indent}end`]
  })
  for (const { src, dest, options } of allLinks) {
    const arrow = options.conditionFn ? '-.->' : '-->'
    const label = labelOf(options.srcKey, options.destKey)
    lines.push(`${indent}${ids.get(src)} ${arrow}${label && `|"${escaped(label)}"|`} ${ids.get(dest)}`)
  }
  return lines
}

function isGraph(component: object): component is Graph & QueryComponent {
  return 'allLinks' in component
}

function labelOf(srcKey: string | null | undefined, destKey: string | null | undefined): string {
  if (srcKey && destKey && srcKey !== destKey) return `${srcKey} → ${destKey}`
  return srcKey || destKey || ''
}

/** Escapes a label as `#code;` characters: Mermaid interprets entities, HTML, Markdown and line feeds even inside quoted labels. */
function escaped(text: string): string {
  const label = text.replace(/[^\p{L}\p{N}\p{M} _.,:/→-]/gu, (sign) => `#${sign.codePointAt(0)};`)
  return label.trim() === '' ? '#32;' : label
}
