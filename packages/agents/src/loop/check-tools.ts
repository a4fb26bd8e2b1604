/**
 * @module
 * Checks tools before an agent uses them.
 */
import { kindOf } from '@x/core/values'
import { ConfigurationError } from '@x/core-model'
import type { Tool } from '../tool/base-tool.ts'
import { checkToolName } from '../tool/plain-tool-metadata.ts'
import { checkModelName } from './native/native-protocol.ts'

/** @throws {ConfigurationError} if there are tools and a retriever of tools. */
export function checkRetriever(where: string, tools: readonly Tool[], retriever: object | null | undefined): void {
  if (tools.length === 0 || !retriever) return
  const advice =
    'pass a retriever of both, { retrieve: async (...args) => [...tools, ...(await toolRetriever.retrieve(...args))] }'
  throw new ConfigurationError(`${where}: tools and toolRetriever cannot be combined; ${advice}.`)
}

/**
 * @param protocol - how the tools are offered to the model.
 * @throws {ConfigurationError} for a value that is not a tool, and if two tools have the same name.
 * @throws {ToolNameError} for a name that models cannot use.
 */
export function checkTools(where: string, tools: readonly Tool[], protocol?: { readonly name: string }): void {
  const names = new Set<string>()
  for (const [i, tool] of tools.entries()) {
    const { metadata, call } = (tool ?? {}) as Partial<Tool>
    if (typeof metadata?.getName !== 'function' || typeof call !== 'function')
      throw new ConfigurationError(`${where}.tools[${i}]: expected a tool, received ${kindOf(tool)}.`)
    const { name } = metadata
    if (typeof name !== 'string') continue
    checkToolName(name)
    if (names.has(name))
      throw new ConfigurationError(`${where}: two tools have the name "${name}"; rename one, or pass it once.`)
    names.add(name)
    if (protocol?.name === 'native') checkModelName(tool)
  }
}
