/**
 * @module
 * Tools that are retrieved for the input of a task.
 */
import type { Layer, Scope } from '../loop/layer.ts'
import { findTool } from '../loop/loop.ts'
import type { AsyncBaseTool } from '../tool/base-tool.ts'

/** Retrieves the tools of each step. If the step is repeated, they are those of its first attempt. */
export function retrievedTools(retrieve: (scope: Scope) => Promise<readonly AsyncBaseTool[]>): Layer & {
  toolsOf(scope: Scope): Promise<readonly AsyncBaseTool[]>
} {
  const toolsOf = async (scope: Scope): Promise<readonly AsyncBaseTool[]> => {
    const { remember } = scope
    if (!remember) return retrieve(scope)
    let found: readonly AsyncBaseTool[] | undefined
    const nameOf = ({ metadata }: AsyncBaseTool) => metadata.name ?? ''
    const names = await remember('tools', async () => (found = await retrieve(scope)).map(nameOf), isNames)
    if (found) return found
    const again = await retrieve(scope)
    return names.flatMap((name) => findTool(again, name) ?? [])
  }
  return {
    rank: 35,
    toolsOf,
    request: (next) => async (plan, scope) =>
      next(scope.mustAnswer ? plan : { ...plan, tools: await toolsOf(scope) }, scope),
  }
}

function isNames(names: unknown): boolean {
  return Array.isArray(names) && names.every((name) => typeof name === 'string')
}
