/** The adapters of the areas, each loaded when its cases run. */
import type { Area } from './case.ts'

/** Names of the areas that have an adapter. */
export const areaNames: readonly string[] = [
  'agents',
  'lines',
  'models',
  'node-parser',
  'nodes',
  'postprocessors',
  'prompts',
  'query-pipeline',
]

/** Returns the adapter of an area, or null when it does not exist. */
export async function loadArea(name: string): Promise<Area | null> {
  return areaNames.includes(name) ? (await import(`./areas/${name}.ts`)).area : null
}
