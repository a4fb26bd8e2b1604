/**
 * Finds functions in which all callers share the memory of an agent: `chat`, `streamChat` or `runEvents` of an agent from outside of the
 * function, without a conversation of its own. Copied into a server, such a function shows one user what another one said.
 */
import { parseAst } from 'vite'

interface Node {
  type: string
  start: number
  [key: string]: unknown
}

/** The methods that use the memory of the agent, and the options that replace it. */
const methods = ['chat', 'streamChat', 'runEvents']
const own = ['memory', 'conversation', 'chatHistory', 'taskId']

const isNode = (value: unknown): value is Node => typeof Object(value).type === 'string'

/** Calls `visit` for a node and all nodes in it; `inside` counts the functions around it. */
function walk(node: unknown, visit: (node: Node, inside: readonly Node[]) => void, inside: readonly Node[] = []): void {
  if (Array.isArray(node)) for (const item of node) walk(item, visit, inside)
  if (!isNode(node)) return
  visit(node, inside)
  const isFunction = /Function/.test(node.type) && 'params' in node
  for (const value of Object.values(node)) walk(value, visit, isFunction ? [...inside, node] : inside)
}

/** Whether an expression makes an agent, which has a memory. */
function isAgent(code: string): boolean {
  return /^(?:await )?(?:(?:\w+\.)?agentFromLlm\b|\w*Agent\.fromTools\b|new (?:\w*Agent|\w*AgentRunner)\b)/.test(code)
}

/** Returns the calls in code, each with its line. */
export function sharedRuns(code: string): { line: number; call: string }[] {
  const body = parseAst(code, { lang: 'ts', sourceType: 'module' }) as unknown as Node
  /** The agents, by name, with the functions around their declaration. */
  const agents = new Map<string, number>()
  walk(body, ({ type, id, init }, inside) => {
    if (type !== 'VariableDeclarator' || !isNode(id) || !isNode(init)) return
    if (isAgent(code.slice(init.start, init['end'] as number))) agents.set(String(id['name']), inside.length)
  })
  const found: { line: number; call: string }[] = []
  walk(body, (node, inside) => {
    const { callee, arguments: args } = node
    if (node.type !== 'CallExpression' || !isNode(callee) || !isNode(callee['object'])) return
    const { object, property } = callee as unknown as { object: Node; property: Node }
    const depth = agents.get(String(object['name']))
    if (depth === undefined || inside.length <= depth || !methods.includes(String(property['name']))) return
    const options = (args as Node[])[1]
    const keys = options?.type === 'ObjectExpression' ? (options['properties'] as Node[]) : null
    const isOwn = keys?.some(
      (key) => key.type === 'SpreadElement' || own.includes(String((key['key'] as Node)['name'])),
    )
    if (options && (keys === null || isOwn)) return
    found.push({ line: code.slice(0, node.start).split('\n').length, call: `${object['name']}.${property['name']}` })
  })
  return found
}
