/**
 * Marks the constants of a module as free of effects, so that bundlers leave out those that nobody uses, and everything that only they
 * use. No module of the packages has effects when it is imported; bundlers cannot know that of a call, and esbuild not even of
 * `2 ** 25` and `{ ...options }`.
 */
import { parseAst } from 'vite'

const mark = '/* @__PURE__ */ '

type Program = ReturnType<typeof parseAst>
type Statement = Program['body'][number]
type Expression = NonNullable<Extract<Statement, { type: 'VariableDeclaration' }>['declarations'][number]['init']>

/**
 * Returns the code with marks at the constants of its top level that a bundler would keep: calls are marked; any other expression becomes
 * a marked function that is called at once. Constants with `await` stay as they are.
 */
export function withPureMarks(code: string): string {
  const edits: { at: number; text: string }[] = []
  for (const statement of parseAst(code).body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declaration?.type !== 'VariableDeclaration') continue
    for (const { init } of declaration.declarations) {
      if (!init || waits(init)) continue
      const calls = callsIn(init)
      if (calls) for (const at of calls) edits.push({ at, text: code.slice(0, at).endsWith(mark) ? '' : mark })
      else edits.push({ at: init.start, text: `${mark}(() => (` }, { at: init.end, text: '))()' })
    }
  }
  let marked = code
  for (const { at, text } of edits.sort((a, b) => b.at - a.at)) marked = marked.slice(0, at) + text + marked.slice(at)
  return marked
}

/** Returns where the calls in an expression start. Undefined if a bundler assumes effects of anything else in it. */
function callsIn(node: Expression): number[] | undefined {
  const inAll = (parts: readonly unknown[]): number[] | undefined => {
    const found = parts.map((part) => (part === null ? [] : callsIn(part as Expression)))
    return found.every((calls) => calls !== undefined) ? found.flat() : undefined
  }
  switch (node.type) {
    case 'Literal':
    case 'Identifier':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
    case 'ClassExpression':
      return []
    case 'TemplateLiteral':
      return node.expressions.length === 0 ? [] : undefined
    case 'ArrayExpression':
      return inAll(node.elements)
    case 'ObjectExpression': {
      const { properties } = node
      const values = properties.map((one) => (one.type === 'Property' && !one.computed ? one.value : undefined))
      return values.includes(undefined) ? undefined : inAll(values)
    }
    case 'CallExpression':
    case 'NewExpression': {
      const calls = node.callee.type === 'Identifier' ? inAll(node.arguments) : undefined
      return calls && [node.start, ...calls]
    }
    default:
      return undefined
  }
}

/** Whether an expression contains `await` outside of functions. */
function waits(node: object): boolean {
  if (!('type' in node)) return false
  if (node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression') return false
  if (node.type === 'AwaitExpression') return true
  return Object.values(node)
    .flat()
    .some((part) => typeof part === 'object' && part !== null && waits(part))
}
