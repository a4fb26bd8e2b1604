/** Runs an example of the documentation, and records what it calls. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseAst } from 'vite'

/** A call of an example. */
export interface Call {
  /** The name of the method or function. */
  readonly name: string
  /** The object of a method. */
  readonly self: unknown
  readonly args: readonly never[]
  readonly result: unknown
}

/** What an example did, in order. */
export interface Recording {
  readonly calls: Call[]
  /** Calls that threw, such as a question whose answer waits for an approval. */
  readonly failed: Call[]
  /** The objects that it made, with the first argument of their constructors. */
  readonly made: Map<object, unknown>
  /** The calls of its tools. */
  readonly toolCalls: { readonly name: string; readonly args: Record<string, unknown>; readonly result: unknown }[]
}

const methods = new Set([
  'format',
  'getNodesFromDocuments',
  'postprocessNodes',
  'retrieve',
  'add',
  'fromTools',
  'fromDefaults',
  'chat',
  'createTask',
  'runTask',
  'runEvents',
  'toDict',
  'toJson',
])
const functions = new Set(['formatWithSources', 'extractMarkdownElements', 'evaluateRetriever'])

interface AstNode {
  readonly type: string
  readonly start: number
  readonly end: number
}

type Edit = readonly [start: number, end: number, text: string]

/** Returns the code with its calls and constructors going through `recorded`. */
function instrumented(code: string): string {
  const edits: Edit[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const node = value as AstNode & Record<string, unknown>
    const callee = node['callee'] as (AstNode & Record<string, unknown>) | undefined
    const name = callee?.['name'] as string | undefined
    if (node.type === 'NewExpression' && callee?.type === 'Identifier')
      edits.push([callee.start, callee.end, `(recorded.made(${name}))`])
    if (node.type === 'CallExpression' && callee?.type === 'Identifier' && functions.has(name!))
      edits.push([callee.start, callee.end, `recorded.function(${name}, '${name}')`])
    if (node.type === 'CallExpression' && callee?.type === 'MemberExpression') {
      const property = callee['property'] as AstNode & { name?: string }
      if (!callee['computed'] && !callee['optional'] && methods.has(property.name!)) {
        const dot = code.lastIndexOf('.', property.start)
        edits.push([callee.start, callee.start, 'recorded.method('], [dot, property.end, `, '${property.name}')`])
      }
    }
    for (const part of Object.values(node)) visit(part)
  }
  visit(parseAst(code, { lang: 'ts', sourceType: 'module' }).body)
  // From the end, so that places stay right; of two at one place, the outer one was found first and is the last to be inserted.
  const ordered = edits
    .map((edit, index) => ({ edit, index }))
    .sort((a, b) => b.edit[0] - a.edit[0] || b.index - a.index)
  return ordered.reduce(
    (text, { edit: [start, end, inserted] }) => text.slice(0, start) + inserted + text.slice(end),
    code,
  )
}

/** What the code of an example calls while it runs. */
function recorderOf({ calls, made, toolCalls }: Recording) {
  type AnyFunction = (...args: never[]) => unknown
  const watched = (options: { name: string; fn: (args: never, context: never) => unknown }) => ({
    ...options,
    fn: (args: never, context: never) => {
      const result = options.fn(args, context)
      toolCalls.push({ name: options.name, args, result })
      return result
    },
  })
  const wrap = (fn: AnyFunction, name: string, self: unknown) => {
    return (...args: never[]) => {
      const [options] = args as readonly unknown[] as [Parameters<typeof watched>[0]?]
      const result = fn.apply(self, name === 'fromDefaults' && options?.fn ? [watched(options) as never] : args)
      // A rejection is the business of the example.
      if (result instanceof Promise) result.catch(() => {})
      calls.push({ name, self, args, result })
      return result
    }
  }
  return {
    made: <Class extends new (...args: never[]) => object>(made_: Class): Class =>
      new Proxy(made_, {
        construct(target, args, newTarget) {
          const object = Reflect.construct(target, args, newTarget)
          made.set(object, args[0])
          return object
        },
      }),
    function: (fn: AnyFunction, name: string) => wrap(fn, name, null),
    method: (self: Record<string, AnyFunction>, name: string) => wrap(self[name]!, name, self),
  }
}

/** What an example may import: packages without servers and libraries of others, and modules of Node. */
const known =
  /^(?:node:|@x\/(?:agents|core|core-model|evaluate|llm|node-parser|postprocessors|prompts|query-pipeline|retrieval|sqlite|storage)(?:\/|$))/

/** Runs an example. Returns null for one that imports other packages, or fails without its test. */
export async function record(code: string, folder: string, index: number): Promise<Recording | null> {
  const imports = [...code.matchAll(/^(?:import .*|\} )from '([^']+)'/gm)].map(([, specifier]) => specifier!)
  if (imports.length === 0 || !imports.every((specifier) => known.test(specifier))) return null
  const recording: Recording = { calls: [], failed: [], made: new Map(), toolCalls: [] }
  const recorders = ((globalThis as Record<string, unknown>)['exampleRecorders'] ??= []) as unknown[]
  recorders[index] = recorderOf(recording)
  const path = join(folder, `${index}.ts`)
  writeFileSync(path, `const recorded = globalThis.exampleRecorders[${index}]\n${instrumented(code)}`)
  try {
    await import(pathToFileURL(path).href)
  } catch {
    return null
  }
  const [calls, failed]: [Call[], Call[]] = [[], []]
  for (const call of recording.calls) {
    const settled = await Promise.resolve(call.result).catch((error: unknown) => error)
    const list = settled instanceof Error ? failed : calls
    list.push({ ...call, result: settled })
  }
  return { ...recording, calls, failed }
}
