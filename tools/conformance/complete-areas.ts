/** The areas whose cases all pass; `npm test` runs them. This list only grows. */
export const completeAreas: readonly string[] = [
  'agents',
  'models',
  'node-parser',
  'nodes',
  'postprocessors',
  'prompts',
  'query-pipeline',
]
