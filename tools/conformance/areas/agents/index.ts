/** The cases of `agents.json`. */
import { defineArea } from '../../case.ts'
import { callbacks } from './callbacks.ts'
import { memory } from './memory.ts'
import { react } from './react.ts'
import { responses } from './responses.ts'
import { retrieval } from './retrieval.ts'
import { agentScripts } from './scripts.ts'
import { steps } from './steps.ts'
import { tools } from './tools.ts'

export const area = defineArea([react, tools, retrieval, responses, steps, memory, callbacks, agentScripts], {
  matchers: true,
})
