/** The adapters of the areas, each loaded when its cases run. */
import type { Area } from './case.ts'

const loaders: Readonly<Record<string, () => Promise<{ area: Area }>>> = {
  agents: () => import('./areas/agents.ts'),
  lines: () => import('./areas/lines.ts'),
  models: () => import('./areas/models.ts'),
  'node-parser': () => import('./areas/node-parser.ts'),
  nodes: () => import('./areas/nodes.ts'),
  postprocessors: () => import('./areas/postprocessors.ts'),
  prompts: () => import('./areas/prompts.ts'),
  'query-pipeline': () => import('./areas/query-pipeline.ts'),
}

/** Names of the areas that have an adapter. */
export const areaNames: readonly string[] = Object.keys(loaders)

/** Returns the adapter of an area, or null when it does not exist. */
export async function loadArea(name: string): Promise<Area | null> {
  const load = Object.hasOwn(loaders, name) ? loaders[name] : undefined
  return load === undefined ? null : (await load()).area
}
