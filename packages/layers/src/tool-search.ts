/**
 * @module
 * Searches hundreds of tools: the model receives a search tool, and the tools that it has found.
 */
import type { AsyncBaseTool } from '@x/agents'
import type { Layer, Scope } from '@x/agents/loop'
import { plainTool } from '@x/agents/protocol'
import { checkOptions, type OptionTable, wholeNumber } from '@x/core/options'
import { ToolOutput } from '@x/core-model'
import { stateOf } from './layer-parts.ts'

/** Options of {@link toolSearch}. */
interface ToolSearchOptions {
  /** The names of tools that are always offered. @defaultValue [] */
  always?: readonly string[] | undefined
  /** The most tools that one search finds. @defaultValue 5 */
  limit?: number | undefined
  /** Returns the names of the tools for a query, best first. @defaultValue a comparison of words with names and descriptions */
  search?:
    | ((query: string, tools: readonly AsyncBaseTool[]) => readonly string[] | Promise<readonly string[]>)
    | undefined
  /** The name of the search tool. @defaultValue 'search_tools' */
  name?: string | undefined
}

const OPTIONS: OptionTable<ToolSearchOptions> = {
  always: (value) => (Array.isArray(value) ? undefined : 'an array'),
  limit: wholeNumber(1, 'or infinity'),
  search: (value) => (typeof value === 'function' ? undefined : 'a function'),
  name: (value) => (typeof value === 'string' ? undefined : 'a string'),
}

/** The key of the found tools in the state of a task. */
const FOUND = 'found_tools'

/**
 * Offers a tool that searches the tools of the loop. Those that it has found in a task join the requests of the task, so that hundreds of
 * tools need not be part of every request.
 * @throws {ModelValidationError} if an option is unknown or out of range.
 */
export function toolSearch(options: ToolSearchOptions = {}): Layer {
  checkOptions('toolSearch', options, OPTIONS)
  const { always = [], limit = 5, search = byWords, name = 'search_tools' } = options
  const searchTool = plainTool({
    name,
    description: 'Finds tools for a purpose. Tools that were found can be called from then on.',
    needed: { query: { type: 'string' } },
    fn: () => '',
  })
  const isAlways = ({ metadata }: AsyncBaseTool) => metadata.name === name || always.includes(metadata.name ?? '')
  return {
    name: 'toolSearch',
    tools: [searchTool],
    request: (next) => (plan, scope) => {
      const found = foundIn(scope)
      const tools = plan.tools.filter((tool) => isAlways(tool) || found.includes(tool.metadata.name ?? ''))
      return next({ ...plan, tools }, scope)
    },
    tool: (next) => async (call, scope) => {
      if (call.name !== name) return next(call, scope)
      const checked = await next(call, scope)
      if (!checked || checked.isError) return checked
      const { query } = scope.loop.argumentsOf(call) as { query: string }
      const others = scope.loop.tools.filter((tool) => !isAlways(tool))
      const names = (await search(query, others)).slice(0, limit)
      const found = names.flatMap((one) => others.find(({ metadata }) => metadata.name === one) ?? [])
      const known = [...foundIn(scope), ...found.map(({ metadata }) => metadata.name ?? '')]
      scope.task.extraState[FOUND] = [...new Set(known)]
      return new ToolOutput({ content: listOf(found), toolName: name, rawInput: { query }, rawOutput: [...names] })
    },
  }
}

function foundIn({ task }: Scope): readonly string[] {
  return stateOf<readonly string[]>(task, FOUND, [])
}

function listOf(tools: readonly AsyncBaseTool[]): string {
  if (tools.length === 0) return 'No tool was found. Try other words.'
  return tools.map(({ metadata }) => `${metadata.name}: ${metadata.description}`).join('\n')
}

/** Words in names count twice; words that many tools have count less. */
function byWords(query: string, tools: readonly AsyncBaseTool[]): string[] {
  const texts = tools.map(({ metadata }) => ({
    name: metadata.name ?? '',
    inName: new Set(wordsOf(metadata.name ?? '')),
    inText: new Set(wordsOf(metadata.description)),
  }))
  const scores = new Map(texts.map(({ name }) => [name, 0]))
  for (const word of new Set(wordsOf(query))) {
    const matches = texts.filter(({ inName, inText }) => inName.has(word) || inText.has(word))
    const weight = Math.log(1 + tools.length / Math.max(1, matches.length))
    for (const { name, inName } of matches) scores.set(name, scores.get(name)! + weight * (inName.has(word) ? 2 : 1))
  }
  const ranked = [...scores].filter(([, score]) => score > 0).sort(([, a], [, b]) => b - a)
  return ranked.map(([name]) => name)
}

/** Returns the words of a string, also those of a name in camel or snake case, without a plural `s`. */
function wordsOf(text: string): string[] {
  const spaced = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase()
  return (spaced.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => (word.length > 3 ? word.replace(/s$/, '') : word))
}
