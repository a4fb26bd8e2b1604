/** The cases of `query-pipeline.json`. */
import { defineArea } from '../../case.ts'
import { agentScript } from '../agents/scripts.ts'
import { components } from './components.ts'
import { pipelines } from './pipelines.ts'

export const area = defineArea([components, pipelines, { 'QueryPipelineAgent.script': agentScript }], {
  matchers: true,
})
