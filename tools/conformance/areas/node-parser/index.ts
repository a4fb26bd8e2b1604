/** The cases of `node-parser.json`. */
import { defineArea } from '../../case.ts'
import { elements } from './elements.ts'
import { invariants } from './invariants.ts'
import { nodes } from './nodes.ts'
import { settings } from './settings.ts'
import { splitting } from './splitting.ts'
import { summaries } from './summaries.ts'

export const area = defineArea([elements, summaries, nodes, settings, splitting, invariants], {
  nullIsAbsent: true,
  inputsStay: true,
})
